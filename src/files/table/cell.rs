//! Cells to write, and those of tables in memory. In: texts and numbers. Out: a [`Cell`]. Next: [`super::writer`],
//! [`super::row`].

/// What stands in a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// Nothing; a JSON object then has no such name.
    Empty,
    /// A text.
    Text(&'a str),
    /// Several texts, for which among files only JSON Lines have a place.
    Texts(&'a [String]),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
}

/// What the cells of a column are, unless they are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// [`Cell::Text`], or [`Cell::Texts`] in JSON Lines.
    Text,
    /// [`Cell::Integer`].
    Integer,
    /// [`Cell::Number`].
    Number,
}
