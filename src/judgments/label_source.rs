//! Whose the labels of pairs are: people's, or a model's.

use serde::{Serialize, Serializer};

use super::Pair;

/// Who gave labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LabelSource {
    /// People, as far as is known.
    #[default]
    People,
    /// The model of this name.
    Model(String),
}

impl LabelSource {
    /// Who gave the labels of pairs: a model where all are from files in which models name themselves, and that name is
    /// one. People have several names there.
    pub fn new<'p>(pairs: impl Iterator<Item = &'p Pair>) -> Self {
        let mut model = None;
        for pair in pairs.filter(|pair| pair.label.is_some()) {
            match &pair.labelled_by {
                Some(name) if model.is_none_or(|known: &str| *known == **name) => model = Some(&**name),
                _ => return Self::People,
            }
        }
        model.map_or(Self::People, |name| Self::Model(name.to_owned()))
    }

    /// Whether they are people.
    pub fn is_people(&self) -> bool {
        *self == Self::People
    }

    /// What their labels are called.
    pub fn labels(&self) -> String {
        match self {
            Self::People => "human labels".to_owned(),
            Self::Model(name) => format!("verdicts of {name}"),
        }
    }

    /// What one of their labels is called.
    pub fn label(&self) -> String {
        match self {
            Self::People => "human label".to_owned(),
            Self::Model(name) => format!("verdict of {name}"),
        }
    }

    /// What they are called in tables.
    pub fn name(&self) -> &str {
        match self {
            Self::People => "people",
            Self::Model(name) => name,
        }
    }
}

/// `people`, or the name of the model.
impl Serialize for LabelSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Verdict;

    fn pair(label: Option<Verdict>, by: Option<&str>) -> Pair {
        Pair { label, labelled_by: by.map(Into::into), ..Pair::new(["a".into(), "b".into()], vec![]) }
    }

    #[test]
    fn a_model_is_the_only_name_of_all_labels() {
        let label = Some(Verdict::First);
        let source = |pairs: &[Pair]| LabelSource::new(pairs.iter());
        let [one, other, nobody] = [Some("gpt"), Some("ann"), None].map(|by| pair(label, by));
        assert_eq!(source(&[one.clone(), one.clone(), pair(None, None)]), LabelSource::Model("gpt".into()));
        assert_eq!(source(&[one.clone(), other]), LabelSource::People);
        assert_eq!([source(&[one, nobody]), source(&[])], [LabelSource::People, LabelSource::People]);
    }
}
