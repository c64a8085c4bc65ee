//! The library's messages name a setting by its argument, in backticks: `` `lower_is_better` ``. Here it becomes the
//! option that sets it: `--lower-is-better`.

use std::sync::LazyLock;

use clap::CommandFactory;

use super::Cli;

/// The names of all options, of every command.
static OPTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut names = Vec::new();
    collect(&Cli::command(), &mut names);
    names
});

fn collect(command: &clap::Command, names: &mut Vec<String>) {
    names.extend(command.get_arguments().filter_map(|option| option.get_long()).map(str::to_owned));
    command.get_subcommands().for_each(|inside| collect(inside, names));
}

/// The message with options in place of arguments; other text in backticks stays as it is.
pub fn with_options(message: &str) -> String {
    let (mut text, mut rest) = (String::new(), message);
    while let Some((before, after)) = rest.split_once('`') {
        text += before;
        let named = after.split_once('`').map(|(name, following)| (name.replace('_', "-"), following));
        rest = match named {
            Some((option, following)) if OPTIONS.contains(&option) => {
                text += &format!("--{option}");
                following
            }
            _ => {
                text.push('`');
                after
            }
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_options_and_other_quotations_stay() {
        assert_eq!(with_options("`lower_is_better`: use `own`=FILE"), "--lower-is-better: use --own=FILE");
        for plain in ["", "none", "`no such`", "a ` b", "`predict --json` wrote it", "``x``"] {
            assert_eq!(with_options(plain), plain);
        }
    }
}
