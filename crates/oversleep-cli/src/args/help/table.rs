//! Every option of every command in one table, compared with the committed one.

use super::{command, sections};
use clap::Arg;
use insta::Settings;

/// Returns an option's row: how it is written, its value, its default, its help.
fn row(option: &Arg) -> String {
    let short = option.get_short().map(|short| format!("-{short}"));
    let long = option.get_long().map(|long| format!("--{long}"));
    let written = short.into_iter().chain(long).collect::<Vec<_>>().join(", ");
    let names = option.get_value_names().unwrap_or_default();
    let value: Vec<_> = names.iter().filter(|_| option.get_action().takes_values()).map(ToString::to_string).collect();
    let defaults = option.get_default_values().iter().filter(|_| option.get_action().takes_values());
    let default: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    let help = option.get_long_help().or(option.get_help()).map(ToString::to_string).unwrap_or_default();
    let hidden = if option.is_hide_set() { " (hidden)" } else { "" };
    format!("| {written}{hidden} | {} | {} | {} |\n", value.join(" "), default.join(","), help.replace('\n', " "))
}

/// One table instead of help, manual pages and completions as clap lays them out: what they say is here, once.
#[test]
fn options_values_defaults_and_help_of_every_command() {
    let mut whole = command();
    whole.build();
    let mut table = String::new();
    for command in std::iter::once(&whole).chain(whole.get_subcommands().filter(|command| command.get_name() != "help"))
    {
        let name = if command.get_name() == whole.get_name() { "" } else { command.get_name() };
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let title = format!("oversleep {name}");
        table += &format!(
            "# {}\n\n{about}\n\n| option | value | default | help |\n| --- | --- | --- | --- |\n",
            title.trim_end()
        );
        let ours = |option: &&Arg| !matches!(option.get_id().as_str(), "help" | "version");
        table += &command.get_arguments().filter(ours).map(row).collect::<String>();
        for (heading, entries) in sections(name) {
            table += &format!("\n{heading}\n");
            table += &entries.iter().map(|(entry, what)| format!("  {entry}: {what}\n")).collect::<String>();
        }
        table += "\n";
    }
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../../../tests/cli/snapshots");
    settings.bind(|| insta::assert_snapshot!("options", table));
}
