//! In: a word. Out: its vowels and consonants, as Porter's algorithm sees them. Next: porter.

/// The letters of a word, each marked as a vowel or a consonant.
///
/// a, e, i, o and u are vowels, and so is a y after a consonant; all else, including accented letters, is a consonant.
/// The class of a letter depends on the letters before it alone, so that it survives the loss of a suffix. Porter 1980,
/// section 2.
pub struct Letters {
    letters: Vec<char>,
    consonants: Vec<bool>,
}

impl Letters {
    pub fn of(word: &str) -> Self {
        let mut letters = Self { letters: Vec::with_capacity(word.len()), consonants: Vec::with_capacity(word.len()) };
        letters.append(word);
        letters
    }

    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// The number of letters before `suffix`, if the word ends in it.
    pub fn before(&self, suffix: &str) -> Option<usize> {
        let stem = self.letters.len().checked_sub(suffix.len())?;
        let ends = self.letters[stem..].iter().copied().eq(suffix.chars());
        ends.then_some(stem)
    }

    /// Keeps the first `stem` letters and appends `ending`.
    pub fn replace(&mut self, stem: usize, ending: &str) {
        self.letters.truncate(stem);
        self.consonants.truncate(stem);
        self.append(ending);
    }

    /// Porter's m of the first `stem` letters: how often a consonant follows a vowel.
    pub fn measure(&self, stem: usize) -> usize {
        self.consonants[..stem].windows(2).filter(|pair| !pair[0] && pair[1]).count()
    }

    /// Porter's *v*: is one of the first `stem` letters a vowel?
    pub fn has_vowel(&self, stem: usize) -> bool {
        self.consonants[..stem].contains(&false)
    }

    /// Is the last of the first `stem` letters a consonant?
    pub fn is_consonant_before(&self, stem: usize) -> bool {
        self.consonants[..stem].last() == Some(&true)
    }

    /// Porter's *o: do the first `stem` letters end in consonant, vowel, consonant, the last not w, x or y?
    pub fn ends_short(&self, stem: usize) -> bool {
        self.consonants[..stem].ends_with(&[true, false, true]) && !matches!(self.letters[stem - 1], 'w' | 'x' | 'y')
    }

    /// Are the first `stem` letters a vowel and a consonant?
    pub fn is_vowel_and_consonant(&self, stem: usize) -> bool {
        self.consonants[..stem] == [false, true]
    }

    /// Porter's *d: the consonant that the word ends in twice.
    pub fn double_consonant(&self) -> Option<char> {
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
                let letters = Letters::of(word);
                assert_eq!(letters.measure(letters.len()), measure, "{word}");
            }
        }
    }

    #[test]
    fn every_second_y_is_a_vowel() {
        assert_eq!(Letters::of("yyyy").consonants, [true, false, true, false]);
        assert_eq!(Letters::of("toy").consonants, [true, false, true]);
    }

    #[test]
    fn accented_letters_are_consonants() {
        let letters = Letters::of("aéé");
        assert_eq!(letters.double_consonant(), Some('é'));
        assert_eq!((letters.measure(3), letters.len(), letters.text().as_str()), (1, 3, "aéé"));
    }
}
