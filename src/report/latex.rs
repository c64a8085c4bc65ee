//! The tables of sections as LaTeX, for papers: `\input` the file in a document that uses the package `booktabs`.

use super::Section;
use super::table::{Cell, Column, Table};

/// All tables with rows, each as a `table` with its caption and the label `tab:NAME`, rounded as on a terminal.
pub fn tables(sections: &[Section<'_>]) -> String {
    Section::all_tables(sections).map(|(section, found)| table(section, &found)).collect()
}

/// A table of a section.
pub(super) fn table(section: &Section<'_>, table: &Table<'_>) -> String {
    let alignment: String = table.columns.iter().map(|column| if column.is_left { 'l' } else { 'r' }).collect();
    let header: Vec<String> = table.columns.iter().map(|column| escaped(column.on_page().trim())).collect();
    let rows = table.rows.iter().map(|row| line(&row.iter().map(cell).collect::<Vec<_>>()));
    format!(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}}}\n\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{}{}\
         \\midrule\n{}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n\n",
        escaped(&section.caption(table)),
        section.name_of(table.key),
        headings(&table.columns),
        line(&header),
        rows.collect::<String>()
    )
}

fn cell(cell: &Cell<'_>) -> String {
    let text = escaped(cell.value.on_page().trim());
    if cell.is_bold() && !text.is_empty() { format!("\\textbf{{{text}}}") } else { text }
}

/// The headings over neighbouring columns, with a rule below each; empty if there are none.
fn headings(columns: &[Column]) -> String {
    let (mut cells, mut rules, mut at) = (Vec::new(), String::new(), 1);
    for group in columns.chunk_by(|one, other| one.over == other.over) {
        let (heading, count) = (escaped(group[0].over), group.len());
        if heading.is_empty() {
            cells.extend(std::iter::repeat_n(String::new(), count));
        } else {
            cells.push(format!("\\multicolumn{{{count}}}{{c}}{{{heading}}}"));
            rules += &format!("\\cmidrule(lr){{{at}-{}}}", at + count - 1);
        }
        at += count;
    }
    if rules.is_empty() { rules } else { format!("{}{rules}\n", line(&cells)) }
}

/// Cells as a row. A bracket at its beginning would be an option of the line break before it.
fn line(cells: &[String]) -> String {
    let line = cells.join(" & ");
    if line.starts_with('[') { format!("{{}}{line} \\\\\n") } else { format!("{line} \\\\\n") }
}

/// A text in which LaTeX's special characters stand for themselves; control characters are spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '−' => escaped.push_str("$-$"),
            _ if character.is_control() => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::table::{Column, Value};
    use super::*;

    #[test]
    fn tables_are_booktabs_and_texts_are_escaped() {
        let rows = [("a_b & \\c", 0.5), ("[x]", 0.25)];
        let table = Table::builder("100% <wrong>", rows)
            .with(Column::text("system"), |(name, _)| name)
            .with(Column::number("p").over("by"), |(_, share)| Value::fraction(share))
            .table
            .keyed("x");
        let section = Section { tables: vec![table, Table::builder("", [(); 0]).table], ..Section::new("s", "S") };
        let expected = "\\begin{table}\n\\centering\n\\caption{100\\% \\textless{}wrong\\textgreater{}. VERSION}\n\\label{tab:x}\n\
                        \\begin{tabular}{lr}\n\\toprule\n & \\multicolumn{1}{c}{by} \\\\\n\\cmidrule(lr){2-2}\nsystem & p \\\\\n\\midrule\n\
                        a\\_b \\& \\textbackslash{}c & 0.5000 \\\\\n{}[x] & 0.2500 \\\\\n\
                        \\bottomrule\n\\end{tabular}\n\\end{table}\n\n";
        let version = format!("Tribunal {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(tables(&[section]), expected.replace("VERSION", &version));
    }
}
