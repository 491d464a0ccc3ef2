//! `export --format parquet`: writes any number of recordings as one file, or as a dataset in folders.

use crate::args::{ExportArgs, FormatName};
use crate::failure::Failure;

/// Refuses the options that have an effect on Parquet alone.
pub(super) fn refuse_its_options(args: &ExportArgs) -> Result<(), Failure> {
    let given = match args {
        ExportArgs { partition, .. } if !partition.is_empty() => "--partition is",
        ExportArgs { host: Some(_), .. } => "--host is",
        ExportArgs { more, .. } if !more.is_empty() && !FormatName::HAS_PARQUET => {
            return Err(Failure::usage("one recording at a time; only Parquet, which this build lacks, takes several"));
        }
        ExportArgs { more, .. } if !more.is_empty() => "several recordings are",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("{given} for Parquet only; add --format parquet")))
}

#[cfg(not(feature = "parquet"))]
pub(super) fn run(_: &ExportArgs, _: &[crate::args::FileArgs]) -> Result<(), Failure> {
    Err(Failure::usage(format!(
        "this oversleep was built without Parquet, which needs a C compiler; build it with \
         `cargo install --path crates/oversleep-cli --features parquet`; without, {}",
        crate::args::WITHOUT_PARQUET
    )))
}

#[cfg(feature = "parquet")]
pub(super) use written::run;

#[cfg(feature = "parquet")]
mod written {
    use crate::args::{ExportArgs, FileArgs, PartitionName};
    use crate::atomic_file::AtomicFile;
    use crate::cmd::report;
    use crate::copies::Copies;
    use crate::failure::Failure;
    use crate::say::say;
    use oversleep_lab::export::parquet::{Facts, Partition, SleepsTable};
    use oversleep_lab::session::Dataset;
    use std::io::{self, BufWriter, IsTerminal, Write};
    use std::path::Path;

    pub(in crate::cmd::export) fn run(args: &ExportArgs, inputs: &[FileArgs]) -> Result<(), Failure> {
        match (&args.out, args.partition.is_empty()) {
            (Some(folder), false) => dataset(args, inputs, folder),
            (Some(out), true) => {
                let (file, opened) = AtomicFile::create(out)?;
                one_file(args, inputs, opened)?;
                file.keep()
            }
            (None, _) if io::stdout().is_terminal() => {
                Err(Failure::usage("Parquet is not text; name a file with --out, or pipe it"))
            }
            (None, _) => one_file(args, inputs, io::stdout()),
        }
    }

    fn one_file(args: &ExportArgs, inputs: &[FileArgs], out: impl Write + Send) -> Result<(), Failure> {
        let mut table = SleepsTable::new(&[], BufWriter::new(out));
        let mut copies = Copies::among(inputs.len());
        for input in inputs {
            let (mut whole, mut recording) = (Some(table), None);
            report::read_once(input, copies.as_mut(), |meta| {
                let facts = Facts::of(meta, args.host.as_deref());
                let table = whole.take().unwrap_or_else(|| unreachable!("a recording has one head"));
                recording.insert(table.recording(meta, &facts))
            })?;
            let Some(recording) = recording else { return Ok(()) };
            let (back, count) = recording.into_writer()?.end();
            warn_if_none(input, count);
            table = back;
        }
        table.finish()?;
        Ok(())
    }

    fn dataset(args: &ExportArgs, inputs: &[FileArgs], folder: &Path) -> Result<(), Failure> {
        let partitions: Vec<Partition> = args.partition.iter().map(|name| partition(*name)).collect();
        if partitions.contains(&Partition::Host) && args.host.is_none() {
            return Err(Failure::usage("recordings do not say on which machine they were made; add --host NAME"));
        }
        let dataset = Dataset { folder: folder.to_path_buf(), partitions, host: args.host.clone() };
        let mut copies = Copies::among(inputs.len());
        for input in inputs {
            let mut recording = None;
            report::read_once(input, copies.as_mut(), |meta| recording.insert(dataset.recording(meta)))?;
            let Some(recording) = recording else { continue };
            let written = recording.finish();
            let count = written
                .map_err(|error| Failure::trouble(format!("cannot write the dataset {}: {error}", folder.display())))?;
            warn_if_none(input, count);
        }
        Ok(())
    }

    fn warn_if_none(input: &FileArgs, count: u64) {
        if count == 0 {
            let name =
                input.file.as_deref().map_or_else(|| "the recording".to_owned(), |file| file.display().to_string());
            say!("{name} has no samples and adds no rows");
        }
    }

    const fn partition(name: PartitionName) -> Partition {
        match name {
            PartitionName::Host => Partition::Host,
            PartitionName::Date => Partition::Date,
        }
    }
}
