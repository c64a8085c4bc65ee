//! Properties of every format in the registry: help names it and shows its file; its sample is read, imported, and read
//! back from every kind of table; other content is refused with its place.

use std::fs;
use std::path::Path;

use tribunal::files::table::{Cell, CellKind, RowWriter, Rows, TableKind};
use tribunal::files::{Input, Output};
use tribunal::formats::{Format, REGISTRY, Role};

use crate::common::Bench;

/// A folder with the samples of all formats, and the texts of the systems that they name.
fn samples() -> (Bench, Vec<(&'static Format, String)>) {
    let bench = Bench::of(1);
    for (name, text) in
        [("A.cs-en", "a cat sat\na dog\n"), ("B.cs-en", "cats sat\ndogs\n"), ("ref.cs-en", "the cat sat\na dog ran\n")]
    {
        bench.write(name, text);
    }
    let written = REGISTRY.iter().map(|format| {
        let name = format!("sample-{}", format.name);
        match format.table {
            Some(kind) if format.sample.is_empty() => as_table(&bench, &name, kind),
            _ => bench.write(&name, format.sample),
        }
        (*format, name)
    });
    let written = written.collect();
    (bench, written)
}

/// Writes the rows of a sample to a binary kind of table.
fn as_table(bench: &Bench, name: &str, kind: TableKind) {
    let csv = REGISTRY.iter().find(|format| format.table == Some(TableKind::Csv)).unwrap();
    bench.write("rows.csv", csv.sample);
    let rows = Rows::open(&Input::File(bench.path("rows.csv")), None).unwrap();
    let names = rows.header().columns().to_vec();
    let columns: Vec<_> = names.iter().map(|name| rows.header().require(name).unwrap()).collect();
    let kinds: Vec<_> = names.iter().map(|name| (name.as_str(), CellKind::Text)).collect();
    let output = Output::create(Some(&bench.path(name))).unwrap();
    let mut writer = RowWriter::begin(output, kind, &kinds).unwrap();
    for row in rows.map(Result::unwrap) {
        let texts: Vec<_> = columns.iter().map(|column| row.text(column).unwrap()).collect();
        writer.write(&texts.iter().map(|text| Cell::Text(text)).collect::<Vec<_>>()).unwrap();
    }
    writer.finish().unwrap();
}

fn importable() -> impl Iterator<Item = &'static Format> {
    REGISTRY.iter().copied().filter(|format| format.role == Role::Judgments)
}

#[test]
fn help_names_every_format_and_its_options() {
    let bench = Bench::of(1);
    let overview = bench.run("import --help").stdout;
    for format in REGISTRY {
        assert!(overview.contains(format.name), "{}: {overview}", format.name);
    }
    for format in importable() {
        assert!(overview.contains(&format!("\n  {} ", format.name)), "{overview}");
        assert!(overview.contains(&format!("tribunal import {} ", format.name)), "{overview}");
        let help = bench.run(&format!("import {} --help", format.name)).stdout;
        // Help may break lines anywhere.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&help).starts_with(&words(format.about)), "{}: {help}", format.name);
        assert!(words(&help).contains(&words(format.details)), "{}: {help}", format.name);
        for option in format.options {
            assert!(help.contains(&format!("--{}", option.name)), "{}: {help}", format.name);
        }
        assert!(help.contains(format.sample.lines().next().unwrap()), "{}: {help}", format.name);
        assert!(
            help.contains("Example file:") && help.contains("Example:") && help.contains(format.example),
            "{}: {help}",
            format.name
        );
    }
}

#[test]
fn every_sample_is_read() {
    let (bench, samples) = samples();
    for (format, name) in samples {
        // A format that accepts any kind of table tells them apart by the file's extension.
        let is_any_table = format.options.iter().any(|option| option.name == "format");
        let named = if is_any_table { format!("{name}.csv") } else { name.clone() };
        bench.write(&named, fs::read(bench.path(&name)).unwrap());
        let verdicts = bench.run(&format!("predict {named} --format {}", format.name));
        assert_eq!(verdicts.status, 0, "{}: {}", format.name, verdicts.stderr);
        assert!(!verdicts.stdout.is_empty(), "{}", format.name);
        for ending in format.endings {
            fs::copy(bench.path(&name), bench.path(&format!("x.{ending}"))).unwrap();
            assert_eq!(bench.run(&format!("predict x.{ending}")).stdout, verdicts.stdout, "{ending}");
        }
    }
}

#[test]
fn every_sample_is_imported_to_every_kind_of_table() {
    let (bench, samples) = samples();
    for (format, name) in samples.into_iter().filter(|(format, _)| format.role == Role::Judgments) {
        let is_table = format.options.iter().any(|option| option.name == "format");
        let import = format!("import {} {name}{}", format.name, if is_table { " --format csv" } else { "" });
        let of_kind = |kind: &TableKind| {
            let said = bench.run(&format!("{import} -o out.{}", kind.name()));
            assert_eq!(said.status, 0, "{}: {}", format.name, said.stderr);
            assert!(said.stdout.contains(" rows read, "), "{}", said.stdout);
            bench.run(&format!("features out.{}", kind.name())).stdout
        };
        let tables: Vec<String> = TableKind::ALL.iter().map(of_kind).collect();
        let cut = |table: &String| {
            let cut = table.lines().map(|line| line.split_once(',').unwrap().1.to_owned());
            cut.collect::<Vec<_>>()
        };
        assert!(tables[0].lines().count() > 1, "{}", format.name);
        assert!(tables.iter().all(|table| cut(table) == cut(&tables[0])), "{}", format.name);
    }
}

#[test]
fn other_content_is_refused_with_its_place() {
    let (bench, samples) = samples();
    for (format, name) in samples {
        bench.write(&name, "nothing of\nthe kind\0\n");
        let run = bench.run(&format!("predict {name} --format {}", format.name));
        assert_eq!((run.status, run.stderr.lines().count()), (1, 1), "{}: {}", format.name, run.stderr);
        assert!(run.stderr.contains(&format!("tribunal: {name}")), "{}: {}", format.name, run.stderr);
    }
}

#[test]
fn a_format_is_one_file_and_one_line() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/formats");
    let registry = fs::read_to_string(source.join("registry.rs")).unwrap();
    let files = fs::read_dir(&source).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let with_format = files.filter(|path| fs::read_to_string(path).unwrap().contains(": Format = Format {"));
    let names: Vec<String> = with_format.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert!(names.len() >= 7, "{names:?}");
    for name in names {
        assert!(registry.contains(&format!("{name}::")), "{name} is not in the registry");
    }
}
