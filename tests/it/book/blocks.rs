//! Blocks of code in Markdown.

/// What a line before a block begins with if something else runs it.
const RUN_BY: &str = "<!-- run by ";

/// A fenced block.
pub struct Block {
    /// The line of the fence, from 1.
    pub line: usize,
    /// What stands behind the fence: `console`, `pycon`, `text`.
    pub kind: String,
    /// The file that has the text, where the fence names one.
    pub file: Option<String>,
    /// The script or test that runs it, from the root; none: this test does.
    pub run_by: Option<String>,
    /// The lines between the fences.
    pub text: String,
}

impl Block {
    /// Each command with the lines that are shown below it. A command goes on after `\` at the end of a line.
    pub fn commands(&self) -> Vec<(String, Vec<String>)> {
        let mut commands: Vec<(String, Vec<String>)> = Vec::new();
        let mut goes_on = false;
        for line in self.text.lines() {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (_, Some((command, _))) if goes_on => *command += &format!("\n{line}"),
                (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
                (None, Some((_, output))) => output.push(line.to_owned()),
                (None, None) => {}
            }
            goes_on = line.ends_with('\\') && commands.last().is_some_and(|(_, output)| output.is_empty());
        }
        commands
    }
}

/// All blocks of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, mut open, mut before) = (Vec::new(), None::<Block>, "");
    for (at, line) in text.lines().enumerate() {
        let fence = line.strip_prefix("```");
        match (&mut open, fence) {
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => block.text += &format!("{line}\n"),
            (None, Some(kind)) => {
                let run_by = before.strip_prefix(RUN_BY).and_then(|rest| rest.strip_suffix(" -->")).map(str::to_owned);
                let (kind, file) =
                    kind.split_once(' ').map_or((kind, None), |(kind, file)| (kind, Some(file.to_owned())));
                open = Some(Block { line: at + 1, kind: kind.to_owned(), file, run_by, text: String::new() });
            }
            (None, None) => before = line,
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

#[test]
fn blocks_are_found_with_their_commands() {
    let text = "```json a.json\n{}\n```\na\n<!-- run by x.sh -->\n```console\n$ one \\\n  two\nshown\n\n$ three\n```\nb\n```text\n$\n```\n";
    let mut found = blocks(text);
    let file = found.remove(0);
    assert_eq!((file.kind.as_str(), file.file.as_deref(), file.text.as_str()), ("json", Some("a.json"), "{}\n"));
    assert_eq!((found[0].line, found[0].kind.as_str(), found[0].run_by.as_deref()), (6, "console", Some("x.sh")));
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let expected = [("one \\\n  two".to_owned(), lines(&["shown", ""])), ("three".to_owned(), lines(&[]))];
    assert_eq!(found[0].commands(), expected);
    assert_eq!((found[1].kind.as_str(), &found[1].run_by, found.len()), ("text", &None, 2));
}
