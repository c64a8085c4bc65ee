//! The grid of systems and segments. In: their names, row by row. Out: the row numbers, system by system. Next:
//! [`super::ScoreTable`].

use std::collections::HashMap;

use crate::error::{Error, Result, quoted};
use crate::files::table::Row;

/// The systems, the segments, and the row of each cell.
#[derive(Default)]
pub(super) struct Grid {
    pub(super) systems: Names,
    pub(super) segments: Names,
    rows: HashMap<[usize; 2], CellRow>,
    /// The number of rows of each system.
    counts: Vec<usize>,
}

/// Names in order of first occurrence.
#[derive(Default)]
pub(super) struct Names {
    pub(super) names: Vec<String>,
    places: HashMap<String, usize>,
}

/// The row of a cell.
struct CellRow {
    number: usize,
    line: usize,
}

impl Names {
    fn place(&mut self, name: String) -> usize {
        let next = self.names.len();
        let place = *self.places.entry(name.clone()).or_insert(next);
        if place == next {
            self.names.push(name);
        }
        place
    }
}

impl Grid {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds the next row; without a segment name, segments are numbered by row within their system.
    pub(super) fn add(&mut self, row: &Row<'_>, system: String, segment: Option<String>) -> Result<()> {
        let system = self.systems.place(system);
        self.counts.resize(self.systems.names.len(), 0);
        self.counts[system] += 1;
        let segment = self.segments.place(segment.unwrap_or_else(|| self.counts[system].to_string()));
        let cell = CellRow { number: self.rows.len(), line: row.line() };
        if let Some(known) = self.rows.insert([system, segment], cell) {
            let expected = format!("one row of {}", self.cell(system, segment));
            let advice = "remove one of them, or name the columns with --system and --segment";
            return Err(Error::invalid(row.place(), expected, format!("another in line {}", known.line), advice));
        }
        Ok(())
    }

    fn cell(&self, system: usize, segment: usize) -> String {
        format!("segment {} of system {}", quoted(&self.segments.names[segment]), quoted(&self.systems.names[system]))
    }

    /// The row numbers, system by system.
    pub(super) fn order(&self, place: &str) -> Result<Vec<usize>> {
        let segments = self.segments.names.len();
        let cells =
            (0..self.systems.names.len()).flat_map(|system| (0..segments).map(move |segment| [system, segment]));
        let rows: Vec<Option<usize>> = cells.map(|cell| self.rows.get(&cell).map(|row| row.number)).collect();
        if let Some(first) = rows.iter().position(Option::is_none) {
            let others = rows.iter().filter(|row| row.is_none()).count() - 1;
            let others = if others > 0 { format!(", and {others} more") } else { String::new() };
            let found = format!("none of {}{others}", self.cell(first / segments, first % segments));
            let advice = "add the rows, with an empty cell where people did not judge, or leave the segment or the \
                system out";
            return Err(Error::invalid(place, "a row for every segment of every system", found, advice));
        }
        Ok(rows.into_iter().flatten().collect())
    }
}
