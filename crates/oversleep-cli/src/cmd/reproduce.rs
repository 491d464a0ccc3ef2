//! `reproduce`: compares published numbers with simulated ones.

use crate::args::{DocumentForm, ReproduceArgs};
use crate::atomic_file::write;
use crate::failure::Failure;
use crate::input::refuse_replacing;
use crate::progress::Bar;
use crate::running;
use crate::say::{notice, say};
use crate::show;
use oversleep_lab::report::{picture, reproduced};
use oversleep_lab::session::{ReproduceError, reproduce};

pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    let request = args.request()?;
    let form = args.out.as_deref().map(DocumentForm::of_out).transpose()?;
    refuse_replacing(args.out.as_deref(), args.force)?;
    let stop = running::on_signals()?;
    let mut bar = Bar::new(args.quiet);
    let made = reproduce(&request, running::TOOL, &stop, &notice, &mut bar).map_err(|error| match error {
        ReproduceError::Run(error) => Failure::from(error),
        error @ ReproduceError::Kernel(_) => Failure::trouble(error),
    })?;
    bar.clear();
    let (Some(path), Some(form)) = (&args.out, form) else {
        if args.shown.json {
            return show::json(&mut anstream::stdout().lock(), &made);
        }
        return show::print(Err(reproduced::text(&made, args.shown.screen())));
    };
    let pictures = || reproduced::svg(&made).map_err(Failure::trouble);
    let bytes = match form {
        DocumentForm::Page => reproduced::page(&made).into_bytes(),
        DocumentForm::Markdown => reproduced::markdown(&made).into_bytes(),
        DocumentForm::Svg => pictures()?.into_bytes(),
        DocumentForm::Png => picture::png(&pictures()?).map_err(Failure::trouble)?,
    };
    write(path, &bytes)?;
    say!("the {} is {}", form.noun(), path.display());
    Ok(())
}
