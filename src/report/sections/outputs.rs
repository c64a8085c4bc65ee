//! How well judges and metrics agree with human labels of single outputs.

use super::{Cell, Column, Printed, Section, Table, Value, alternative_tests, chart, interval, pluralized};
use crate::evaluation::{BinaryAgreement, Estimate, NumericAgreement};
use crate::judgments::output::Marks;
use crate::report::chart::CalibrationAxes;
use crate::report::details::ReliabilityBin;
use crate::report::outputs::{OutputPart, OutputReport, PartFigure, Reliability, ReliabilityRow, RowKind, SignalRow};

impl OutputReport {
    /// The sections: agreement with the labels, what does not depend on the level of the values, whether a judge may replace an
    /// annotator, and how expected labels are calibrated.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let (table, notes) = match self.marks {
            Marks::PassFail => (self.rates(), self.notes_on_rates()),
            Marks::Numbers => (self.correlations(), self.notes_on_correlations()),
        };
        let agreement = Section {
            tables: vec![table.keyed("agreement").printed(Printed::Bare)],
            notes,
            advice: self.advice(),
            ..Section::new("agreement", "Agreement with human labels")
        };
        let order = Section {
            tables: vec![self.order().keyed("order")],
            notes: vec![
                format!("within: of two outputs of a {} with different labels, the share that it orders as the labels do, ties counting half", self.of_prompt()),
                "length: Spearman's correlation of the values with the number of characters, minus that of the labels; above 0 where length counts for more than it does for people".to_owned(),
            ],
            ..Section::new("order", "Order within prompts, and length")
        };
        let test = Section {
            tables: vec![alternative_tests(&self.alternative)],
            ..Section::new("annotators", "Annotators and judges")
        };
        vec![agreement, self.parts(), order, test, self.reliability()]
    }

    /// Judges, models and the best metric on the outputs with each value of a column.
    fn parts(&self) -> Section<'_> {
        let by = self.breakdown.as_ref().map_or("column", |breakdown| breakdown.by.as_str());
        let (figure, label) = match self.marks {
            Marks::PassFail => ("balanced accuracy", "pass rate"),
            Marks::Numbers => ("Spearman", "mean label"),
        };
        let lines = self.breakdown.iter().flat_map(|breakdown| {
            breakdown
                .parts
                .iter()
                .map(|part| (Some(part), &part.systems[..]))
                .chain([(None, &breakdown.macro_averages[..])])
        });
        let value =
            |found: Option<Estimate>, show: fn(Estimate) -> Value<'static>| found.map_or(Value::Undefined, show);
        let is_judge = |row: &&SignalRow| matches!(row.kind, RowKind::Judge | RowKind::Model);
        let best_metric = self.rows.iter().find(|row| matches!(row.kind, RowKind::External | RowKind::Metric));
        let others = self.rows.iter().filter(is_judge).chain(best_metric).filter(|row| row.name != self.subject);
        let subject = self.subject.as_str();
        let mut table = Table::builder(format!("{figure} by {by}"), lines)
            .with(Column::text(by), |(part, _)| match part {
                Some(part) => Cell::from(part.name.as_str()),
                None => Cell::from("macro average").bold_if(true),
            })
            .with(Column::number("outputs"), |(part, _)| part.map_or(Value::Empty, |part| Value::count(part.outputs)))
            .with(Column::number(label).rank(4), |(part, _)| {
                part.map_or(Value::Empty, |part| Value::fraction(part.mean_label))
            })
            .with(Column::number(subject), |(_, figures)| {
                value(PartFigure::of(figures, subject), |found| Value::fraction(found.value))
            })
            .with(interval(1), |(_, figures)| ends(PartFigure::of(figures, subject)));
        for row in others {
            let shown = |(_, figures): (Option<&OutputPart>, &[PartFigure])| {
                value(PartFigure::of(figures, &row.name), |found| Value::fraction(found.value))
            };
            table = table.with(Column::number(row.name.as_str()).rank(2), shown);
        }
        Section { tables: vec![table.table.keyed("parts")], ..Section::new("parts", format!("Agreement by {by}")) }
    }

    /// Expected labels beside labels.
    fn reliability(&self) -> Section<'_> {
        let rows = self.reliability.iter().flat_map(|of| of.bins.iter().map(move |bin| (of, bin)));
        let table = Table::builder("Expected labels and labels", rows)
            .with(Column::text("system"), |(of, _)| of.name.as_str())
            .with(Column::text("expected").range(), |(_, bin)| Value::interval(bin.from, bin.to))
            .with(Column::number("outputs"), |(_, bin)| Value::count(bin.outputs))
            .with(Column::number("mean"), |(_, bin)| Value::fraction(bin.predicted))
            .with(Column::number("label"), |(_, bin)| Value::fraction(bin.label.value))
            .with(interval(0), |(_, bin)| Value::interval(bin.label.low, bin.label.high))
            .table;
        let (errors, name) = match self.marks {
            Marks::PassFail => ("Brier score", "pass rate"),
            Marks::Numbers => ("mean squared error", "mean label"),
        };
        let figures = |of: &Reliability| {
            format!(
                "{}: expected calibration error {:.3}, {errors} {:.3}",
                of.name, of.calibration_error, of.squared_error
            )
        };
        let figures: Vec<String> = self.reliability.iter().map(figures).collect();
        let chart = self.reliability.first().filter(|_| self.marks == Marks::PassFail);
        let bins: Vec<ReliabilityBin> = chart.iter().flat_map(|of| &of.bins).map(ReliabilityRow::of_chart).collect();
        let axis = CalibrationAxes { confidence: "expected pass rate", accuracy: name, unit: "output" };
        let note = format!(
            "On the dashed line, the {name} is the expected one; each score is calibrated on other {}s.",
            self.of_prompt()
        );
        Section {
            answer: if figures.is_empty() { figures } else { vec![format!("Calibration of {}", figures.join("; "))] },
            tables: vec![table.keyed("expected").printed(Printed::No)],
            charts: vec![chart::calibration("expected", &bins, &axis).noted(note)],
            ..Section::new("expected", "Expected labels")
        }
    }

    fn rates(&self) -> Table<'_> {
        let rate = |of: fn(&BinaryAgreement) -> Option<Estimate>| {
            move |row: &SignalRow| {
                Value::or_undefined(row.binary.as_ref().and_then(of).map(|one| one.value), Value::fraction)
            }
        };
        Table::builder("Agreement with labels that pass or fail", &self.rows)
            .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.name == self.subject))
            .with(Column::number("balanced accuracy"), rate(|binary| binary.balanced_accuracy))
            .with(interval(2), |row| ends(row.figure()))
            .with(Column::number("accuracy").rank(3), rate(|binary| binary.accuracy))
            .with(Column::number("TPR").rank(1), rate(|binary| binary.true_positive_rate))
            .with(Column::number("TNR").rank(1), rate(|binary| binary.true_negative_rate))
            .with(Column::number("kappa").rank(4), rate(|binary| binary.kappa))
            .with(Column::number("F1").rank(6), rate(|binary| binary.f1))
            .with(Column::number("ROC area").rank(2), |row| {
                Value::or_undefined(row.roc_area.map(|area| area.value), Value::fraction)
            })
            .with(interval(7), |row| ends(row.roc_area))
            .with(Column::number("threshold").rank(5), |row| Value::or_empty(row.threshold, Value::number))
            .with(Column::number("coverage").rank(5), |row| Value::or_empty(row.coverage(), Value::fraction))
            .table
    }

    fn notes_on_rates(&self) -> Vec<String> {
        let mut notes = vec![
            "TPR, TNR: the shares of outputs that people pass, and fail, with the same verdict; balanced accuracy: their mean, 0.5 by chance".to_owned(),
            format!("threshold: from which value on an output passes; rates are those of thresholds that were chosen on the other of ten folds by balanced accuracy (seed {})", self.seed),
        ];
        notes.extend(self.common_notes());
        notes
    }

    fn correlations(&self) -> Table<'_> {
        let figure = |of: fn(&NumericAgreement) -> Option<Estimate>| {
            move |row: &SignalRow| {
                Value::or_undefined(row.numeric.as_ref().and_then(of).map(|one| one.value), Value::fraction)
            }
        };
        let bias = |row: &SignalRow| row.numeric.as_ref().and_then(|numeric| numeric.bias);
        Table::builder("Agreement with labels that are numbers", &self.rows)
            .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.name == self.subject))
            .with(Column::number("Spearman"), figure(|numeric| numeric.spearman))
            .with(interval(2), |row| ends(row.figure()))
            .with(Column::number("Pearson").rank(1), figure(|numeric| numeric.pearson))
            .with(Column::number("tau_b").rank(3), figure(|numeric| numeric.kendall))
            .with(Column::number("weighted kappa").rank(4), figure(|numeric| numeric.weighted_kappa))
            .with(Column::number("bias").rank(2), |row| {
                Value::or_undefined(bias(row).map(|bias| bias.value), Value::difference)
            })
            .with(interval(6), |row| bias(row).map_or(Value::Undefined, |bias| Value::differences(bias.low, bias.high)))
            .with(Column::number("spread").rank(5), |row| {
                Value::or_undefined(row.numeric.as_ref().and_then(|numeric| numeric.spread), Value::fraction)
            })
            .with(Column::number("coverage").rank(5), |row| Value::or_empty(row.coverage(), Value::fraction))
            .table
    }

    fn notes_on_correlations(&self) -> Vec<String> {
        let mut notes = vec![
            "weighted kappa: with quadratic weights; bias: mean of value minus label; spread: standard deviation by that of the labels; only of judges on the scale of the labels".to_owned(),
        ];
        notes.extend(self.common_notes());
        notes
    }

    fn common_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.rows.iter().any(|row| row.kind == RowKind::Human) {
            notes.push(
                "human: each annotator against the others of the same output; a reference point, not an upper bound"
                    .to_owned(),
            );
        }
        if self.rows.iter().any(|row| row.kind == RowKind::Model) {
            let verdict = if self.marks == Marks::PassFail { "; an output passes from 0.5 on" } else { "" };
            notes.push(format!("the values of a model are the labels that it expects{verdict}"));
        }
        if self.rows.iter().any(|row| row.coverage().is_some()) {
            notes.push("missing values are skipped; coverage is the share that is there".to_owned());
        }
        if self.unlabelled > 0 {
            notes.push(format!("{} without a label, which count nowhere", pluralized(self.unlabelled, "output")));
        }
        if self.divided > 0 {
            let outputs = pluralized(self.divided, "output");
            notes.push(format!("{outputs} without a majority of annotators, which count in human alone"));
        }
        notes.push(format!("95% CI over {}s", self.unit));
        notes
    }

    fn order(&self) -> Table<'_> {
        Table::builder("Order within prompts, and preference for length", &self.rows)
            .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.name == self.subject))
            .with(Column::number("within"), |row| Value::or_undefined(row.within.map(|one| one.value), Value::fraction))
            .with(interval(1), |row| ends(row.within))
            .with(Column::number("length"), |row| {
                Value::or_undefined(row.length.map(|one| one.value), Value::difference)
            })
            .with(interval(2), |row| row.length.map_or(Value::Undefined, |one| Value::differences(one.low, one.high)))
            .table
    }

    fn advice(&self) -> Option<String> {
        let row = self.subject_row()?;
        let (figure, chance) = (row.figure()?, if self.marks == Marks::PassFail { 0.5 } else { 0.0 });
        let name = &row.name;
        Some(match (&self.gain, figure.low > chance) {
            (_, false) => format!("Do not use {name}: these labels do not show that it is better than chance."),
            (Some(gain), true) if gain.difference.low <= 0.0 => {
                format!("Do not pay for {name} before it is shown to be better than {}.", gain.over)
            }
            (_, true) => format!("Use {name}, and correct its level by labels of a random part of the outputs."),
        })
    }

    /// The sections in a report on pairs of the outputs, with what was found.
    pub fn embedded_sections(&self) -> Vec<Section<'_>> {
        let mut sections = self.sections();
        if let [first, ..] = sections.as_mut_slice() {
            first.answer = self.findings();
        }
        sections
    }
}

impl ReliabilityRow {
    fn of_chart(&self) -> ReliabilityBin {
        let Self { from, to, outputs, predicted, label: Estimate { value, low, high } } = *self;
        ReliabilityBin { from, to, pairs: outputs, confidence: predicted, accuracy: value, low, high }
    }
}

/// The ends of an estimate that may be undefined.
fn ends(estimate: Option<Estimate>) -> Value<'static> {
    estimate.map_or(Value::Undefined, |one| Value::interval(one.low, one.high))
}
