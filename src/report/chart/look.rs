//! The look of an element, from the style sheet: one place for what pages and files of their own show.

use std::fmt::Write;

/// The rules for charts, one a line: `.chart SELECTOR, .chart SELECTOR { NAME: VALUE; NAME: VALUE }`.
const RULES: &str = include_str!("../html/chart.css");

/// The colours on white paper: `--NAME: VALUE;`.
const COLOURS: &str = include_str!("../html/light.css");

/// An element's classes, and what the rules say of them as attributes of SVG, with colours for white paper. Later rules
/// override earlier ones, as those for tags alone come first.
pub(super) fn attributes(tag: &str, class: &str) -> String {
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    for (selectors, declarations) in RULES.lines().filter_map(|rule| rule.split_once(" {")) {
        if !selectors.split(", ").any(|selector| selects(selector, tag, class)) {
            continue;
        }
        for (name, value) in declarations.trim_end_matches('}').split(';').filter_map(|each| each.split_once(": ")) {
            let (name, value) = (name.trim(), resolved(value.trim()));
            attributes.retain(|(known, _)| *known != name);
            attributes.push((name, value));
        }
    }
    let mut text = format!("class=\"{class}\"");
    for (name, value) in attributes {
        // Writing to a String cannot fail.
        let _ = write!(text, " {name}=\"{value}\"");
    }
    text
}

/// Whether `.chart TAG.CLASS` is this element; either part may be missing.
fn selects(selector: &str, tag: &str, classes: &str) -> bool {
    let selector = selector.trim().trim_start_matches(".chart").trim();
    let (of_tag, of_class) = selector.split_once('.').unwrap_or((selector, ""));
    (of_tag.is_empty() || of_tag == tag) && (of_class.is_empty() || classes.split(' ').any(|class| class == of_class))
}

/// A value, with the colour in place of its variable.
fn resolved(value: &'static str) -> &'static str {
    value.strip_prefix("var(--").and_then(|name| name.strip_suffix(')')).map_or(value, colour)
}

/// A colour on white paper.
pub(super) fn colour(name: &str) -> &'static str {
    let named = |declaration: &'static str| declaration.trim().strip_prefix("--")?.split_once(": ");
    let known = COLOURS.split(';').filter_map(named).find(|(known, _)| *known == name);
    known.map_or("#000000", |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_attributes() {
        assert_eq!(attributes("path", "judge"), "class=\"judge\" fill=\"#0058a3\"");
        assert_eq!(attributes("line", "rival"), "class=\"rival\" stroke=\"#ad4400\" stroke-width=\"1.5\"");
        // The later of two classes overrides the size.
        assert_eq!(attributes("text", "tick cell"), "class=\"tick cell\" fill=\"#565f6b\" font-size=\"9px\"");
        assert_eq!(attributes("rect", "frame"), "class=\"frame\" fill=\"none\" stroke=\"#d3d8de\"");
    }

    #[test]
    fn every_colour_of_the_rules_is_known() {
        for name in RULES.split("var(--").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            assert!(COLOURS.contains(&format!("--{name}: {};", colour(name))), "{name}");
        }
    }
}
