//! `reproduce`: shows published numbers beside simulated ones.

use crate::args::ReproduceArgs;
use crate::atomic_file::write;
use crate::failure::Failure;
use crate::input::refuse_replacing;
use crate::progress::Bar;
use crate::running;
use crate::say::say;
use crate::show;
use oversleep_lab::report::{picture, reproduced};
use oversleep_lab::session::{ReproduceError, reproduce};
use std::path::Path;

pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    let request = args.request()?;
    let format = args.out.as_deref().map(format_of).transpose()?;
    refuse_replacing(args.out.as_deref(), args.force)?;
    let stop = running::on_signals()?;
    let mut bar = Bar::new(args.quiet);
    let made =
        reproduce(&request, running::TOOL, &stop, &|line| say!("{line}"), &mut bar).map_err(|error| match error {
            ReproduceError::Run(error) => Failure::from(error),
            error @ ReproduceError::Kernel(_) => Failure::trouble(error),
        })?;
    bar.clear();
    let (Some(path), Some(format)) = (&args.out, format) else {
        if args.shown.json {
            return show::json(&mut anstream::stdout().lock(), &made);
        }
        return show::print(Err(reproduced::text(&made, args.shown.screen())));
    };
    let pictures = || reproduced::svg(&made).map_err(Failure::trouble);
    let bytes = match format {
        ReproductionFormat::Page => reproduced::page(&made).into_bytes(),
        ReproductionFormat::Markdown => reproduced::markdown(&made).into_bytes(),
        ReproductionFormat::Svg => pictures()?.into_bytes(),
        ReproductionFormat::Png => picture::png(&pictures()?).map_err(Failure::trouble)?,
    };
    write(path, &bytes)?;
    let what = match format {
        ReproductionFormat::Page => "page",
        ReproductionFormat::Markdown => "text",
        ReproductionFormat::Svg | ReproductionFormat::Png => "picture",
    };
    say!("the {what} is {}", path.display());
    Ok(())
}

/// The format of the file that a reproduction is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReproductionFormat {
    Page,
    Svg,
    Png,
    Markdown,
}

/// Returns the format that the file's extension asks for.
fn format_of(path: &Path) -> Result<ReproductionFormat, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    Ok(match extension.as_str() {
        "html" | "htm" => ReproductionFormat::Page,
        "svg" => ReproductionFormat::Svg,
        "png" => ReproductionFormat::Png,
        "md" | "markdown" => ReproductionFormat::Markdown,
        _ => {
            let path = path.display();
            return Err(Failure::usage(format!("--out {path}: the name has to end in .html, .svg, .png or .md")));
        }
    })
}
