//! Porter's algorithm, as published and in the variants of three programs.
//!
//! Five steps strip suffixes: each the longest that matches, if enough of the word is left. Porter 1980, "An algorithm
//! for suffix stripping", Program 14(3), section 3; [`Variant`] lists what the variants change.

/// A variant of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// As published.
    Original,
    /// Porter's own programs, as described under "points of difference from the published algorithm"
    /// (tartarus.org/martin/PorterStemmer): a word of one or two letters is left as it is, -bli becomes -ble and -logi
    /// becomes -log.
    Martin,
    /// NLTK 3.10.4 in its default mode `NLTK_EXTENSIONS`: as [`Self::Martin`], with a list of exceptions and other
    /// rules: -ied and -ies become -ie in words of four letters; -y becomes -i only after a consonant; a vowel and a
    /// consonant also count as a short word; -logi becomes -log after fewer letters; -fulli becomes -ful; after -alli
    /// has become -al, step 2 applies again.
    Nltk,
    /// ROUGE-1.5.5: as [`Self::Martin`], but a final -yy is not a double consonant, and step 4 goes on after its first
    /// suffix: it strips one of those that do not end in -ent or -ion, then -ement, -ment, -ent and -ion, each if
    /// enough of the word is left.
    Rouge155,
}

/// Words that NLTK looks up instead of applying the rules.
const NLTK_EXCEPTIONS: [(&str, &str); 16] = [
    ("canning", "canning"),
    ("cannings", "canning"),
    ("dying", "die"),
    ("exceed", "exceed"),
    ("howe", "howe"),
    ("inning", "inning"),
    ("innings", "inning"),
    ("lying", "lie"),
    ("news", "news"),
    ("outing", "outing"),
    ("outings", "outing"),
    ("proceed", "proceed"),
    ("skies", "sky"),
    ("sky", "sky"),
    ("succeed", "succeed"),
    ("tying", "tie"),
];

/// The stem of a lower-case word, in time linear in its length.
pub fn stem(word: &str, variant: Variant) -> String {
    let listed = NLTK_EXCEPTIONS.iter().find(|entry| variant == Variant::Nltk && entry.0 == word);
    if let Some((_, stem)) = listed {
        return (*stem).to_owned();
    }
    let mut word = Letters::new(word);
    if variant == Variant::Original || word.len() > 2 {
        plural(&mut word, variant);
        past(&mut word, variant);
        final_y(&mut word, variant);
        double_suffixes(&mut word, variant);
        apply_first(&mut word, &STEP_3, 0);
        bare_suffixes(&mut word, variant);
        final_e(&mut word, variant);
        final_ll(&mut word);
    }
    word.text()
}

/// A suffix and its replacement.
type Rule = (&'static str, &'static str);

/// Step 2 of the paper.
const STEP_2: [Rule; 20] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

/// Step 3.
const STEP_3: [Rule; 7] =
    [("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

/// Step 4; a suffix comes before the suffixes that it ends in.
const STEP_4: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ement",
    "ment", "ent", "ion",
];

/// The index in [`STEP_4`] of the first suffix that ends in -ent or -ion.
const ENT_AND_ION: usize = 15;

/// Applies the first rule whose suffix the word ends in, if the measure of the stem is above `limit`. Returns whether
/// the word has such a suffix.
fn apply_first(word: &mut Letters, rules: &[Rule], limit: usize) -> bool {
    let matching = rules.iter().find_map(|&(suffix, ending)| Some((word.before(suffix)?, ending)));
    if let Some((stem, ending)) = matching
        && word.measure(stem) > limit
    {
        word.replace(stem, ending);
    }
    matching.is_some()
}

/// Step 1a.
fn plural(word: &mut Letters, variant: Variant) {
    if let Some(stem) = word.before("ies") {
        let short = variant == Variant::Nltk && word.len() == 4;
        word.replace(stem, if short { "ie" } else { "i" });
    } else if let Some(stem) = word.before("sses") {
        word.replace(stem, "ss");
    } else if word.before("ss").is_none()
        && let Some(stem) = word.before("s")
    {
        word.replace(stem, "");
    }
}

/// Step 1b.
fn past(word: &mut Letters, variant: Variant) {
    if variant == Variant::Nltk
        && let Some(stem) = word.before("ied")
    {
        let ending = if word.len() == 4 { "ie" } else { "i" };
        word.replace(stem, ending);
    } else if let Some(stem) = word.before("eed") {
        if word.measure(stem) > 0 {
            word.replace(stem, "ee");
        }
    } else if let Some(stem) = word.before("ed").or_else(|| word.before("ing"))
        && word.has_vowel(stem)
    {
        word.replace(stem, "");
        mend(word, variant);
    }
}

/// The part of step 1b for a word that has lost -ed or -ing (conflat -> conflate, hopp -> hop, fil -> file).
fn mend(word: &mut Letters, variant: Variant) {
    let len = word.len();
    if ["at", "bl", "iz"].iter().any(|ending| word.before(ending).is_some()) {
        word.replace(len, "e");
    } else if let Some(letter) = word.double_consonant()
        && !(variant == Variant::Rouge155 && letter == 'y')
    {
        if !matches!(letter, 'l' | 's' | 'z') {
            word.replace(len - 1, "");
        }
    } else if word.measure(len) == 1 && is_short(word, len, variant) {
        word.replace(len, "e");
    }
}

fn is_short(word: &Letters, stem: usize, variant: Variant) -> bool {
    word.ends_short(stem) || variant == Variant::Nltk && word.is_vowel_and_consonant(stem)
}

/// Step 1c.
fn final_y(word: &mut Letters, variant: Variant) {
    let Some(stem) = word.before("y") else { return };
    let is_suffix =
        if variant == Variant::Nltk { stem > 1 && word.is_consonant_before(stem) } else { word.has_vowel(stem) };
    if is_suffix {
        word.replace(stem, "i");
    }
}

/// Step 2.
fn double_suffixes(word: &mut Letters, variant: Variant) {
    if variant == Variant::Original {
        apply_first(word, &STEP_2, 0);
        return;
    }
    if variant == Variant::Nltk
        && let Some(stem) = word.before("alli")
        && word.measure(stem) > 0
    {
        word.replace(stem, "al");
    }
    if let Some(stem) = word.before("bli") {
        if word.measure(stem) > 0 {
            word.replace(stem, "ble");
        }
    } else if let Some(stem) = word.before("logi") {
        // NLTK measures the stem with the l, so that "geologi" is long enough.
        if word.measure(if variant == Variant::Nltk { stem + 1 } else { stem }) > 0 {
            word.replace(stem, "log");
        }
    } else if !apply_first(word, &STEP_2, 0) && variant == Variant::Nltk {
        apply_first(word, &[("fulli", "ful")], 0);
    }
}

/// Step 4.
fn bare_suffixes(word: &mut Letters, variant: Variant) {
    if variant == Variant::Rouge155 {
        let (first, last) = STEP_4.split_at(ENT_AND_ION);
        strip_first(word, first);
        last.iter().for_each(|&suffix| strip_first(word, &[suffix]));
    } else {
        strip_first(word, &STEP_4);
    }
}

/// Strips the first suffix that the word ends in, if the measure of the stem is above 1; -ion only after s or t.
fn strip_first(word: &mut Letters, suffixes: &[&str]) {
    let matching = suffixes.iter().find_map(|&suffix| Some((suffix, word.before(suffix)?)));
    if let Some((suffix, stem)) = matching
        && word.measure(stem) > 1
        && (suffix != "ion" || word.before("sion").or_else(|| word.before("tion")).is_some())
    {
        word.replace(stem, "");
    }
}

/// Step 5a.
fn final_e(word: &mut Letters, variant: Variant) {
    let Some(stem) = word.before("e") else { return };
    let measure = word.measure(stem);
    if measure > 1 || measure == 1 && !is_short(word, stem, variant) {
        word.replace(stem, "");
    }
}

/// Step 5b.
fn final_ll(word: &mut Letters) {
    let len = word.len();
    if word.before("ll").is_some() && word.measure(len - 1) > 1 {
        word.replace(len - 1, "");
    }
}

/// The letters of a word, each marked as a vowel or a consonant.
///
/// a, e, i, o and u are vowels, and so is a y after a consonant; all else, including accented letters, is a consonant.
/// The class of a letter depends on the letters before it alone, so that it survives the loss of a suffix. Porter 1980,
/// section 2.
struct Letters {
    letters: Vec<char>,
    consonants: Vec<bool>,
}

impl Letters {
    fn new(word: &str) -> Self {
        let mut letters = Self { letters: Vec::with_capacity(word.len()), consonants: Vec::with_capacity(word.len()) };
        letters.append(word);
        letters
    }

    fn text(&self) -> String {
        self.letters.iter().collect()
    }

    fn len(&self) -> usize {
        self.letters.len()
    }

    /// The number of letters before `suffix`, if the word ends in it.
    fn before(&self, suffix: &str) -> Option<usize> {
        let stem = self.letters.len().checked_sub(suffix.len())?;
        let ends = self.letters[stem..].iter().copied().eq(suffix.chars());
        ends.then_some(stem)
    }

    /// Keeps the first `stem` letters and appends `ending`.
    fn replace(&mut self, stem: usize, ending: &str) {
        self.letters.truncate(stem);
        self.consonants.truncate(stem);
        self.append(ending);
    }

    /// Porter's m of the first `stem` letters: how often a consonant follows a vowel.
    fn measure(&self, stem: usize) -> usize {
        self.consonants[..stem].windows(2).filter(|pair| !pair[0] && pair[1]).count()
    }

    /// Porter's *v*: is one of the first `stem` letters a vowel?
    fn has_vowel(&self, stem: usize) -> bool {
        self.consonants[..stem].contains(&false)
    }

    /// Is the last of the first `stem` letters a consonant?
    fn is_consonant_before(&self, stem: usize) -> bool {
        self.consonants[..stem].last() == Some(&true)
    }

    /// Porter's *o: do the first `stem` letters end in consonant, vowel, consonant, the last not w, x or y?
    fn ends_short(&self, stem: usize) -> bool {
        self.consonants[..stem].ends_with(&[true, false, true]) && !matches!(self.letters[stem - 1], 'w' | 'x' | 'y')
    }

    /// Are the first `stem` letters a vowel and a consonant?
    fn is_vowel_and_consonant(&self, stem: usize) -> bool {
        self.consonants[..stem] == [false, true]
    }

    /// Porter's *d: the consonant that the word ends in twice.
    fn double_consonant(&self) -> Option<char> {
        match (self.letters.as_slice(), self.consonants.last()) {
            ([.., a, b], Some(true)) if a == b => Some(*b),
            _ => None,
        }
    }

    fn append(&mut self, ending: &str) {
        for letter in ending.chars() {
            let consonant = match letter {
                'a' | 'e' | 'i' | 'o' | 'u' => false,
                'y' => self.consonants.last() != Some(&true),
                _ => true,
            };
            self.letters.push(letter);
            self.consonants.push(consonant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_of_the_paper() {
        // Porter 1980, section 2.
        let words = [(0, "tr ee tree y by"), (1, "trouble oats trees ivy"), (2, "troubles private oaten orrery")];
        for (measure, words) in words {
            for word in words.split(' ') {
                let letters = Letters::new(word);
                assert_eq!(letters.measure(letters.len()), measure, "{word}");
            }
        }
    }

    #[test]
    fn accented_letters_are_consonants() {
        let letters = Letters::new("aéé");
        assert_eq!(letters.double_consonant(), Some('é'));
        assert_eq!((letters.measure(3), letters.len(), letters.text().as_str()), (1, 3, "aéé"));
    }
}
