//! A dict folder of nine synsets for the tests, with an example of each feature of the format.

use std::path::Path;

/// File name and contents.
pub(super) const FILES: [(&str, &str); 12] = [
    (
        "data.noun",
        "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n\
         00000101 03 n 01 entity 0 002 ~ 00000102 n 0000 + 00000101 v 0101 | all there is\n\
         00000102 05 n 02 goose 0 web-footed_Bird 0 002 @ 00000101 n 0000 @ 00000101 n 0000 | bird\n\
         00000103 15 n 01 Paris 0 002 @i 00000101 n 0000 @i 00000102 n 0000 | a city\n",
    ),
    (
        "data.verb",
        "00000101 41 v 01 restrain 0 001 @ 00000102 v 0000 01 + 08 00 | keep back\n\
         00000102 41 v 0a inhibit 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 goose 1 \
         001 @ 00000101 v 0000 02 + 08 00 + 11 0a | keep back\n",
    ),
    (
        "data.adj",
        "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n\
         00000101 00 a 01 good(p) 0 001 & 00000102 a 0000 | fine\n\
         00000102 00 s 02 good 1 well 0 001 & 00000101 a 0000 | healthy\n",
    ),
    ("data.adv", "00000101 02 r 01 well 0 000 | nicely\n00000102 02 r 01 good 0 000 | caf\u{e9}\n"),
    (
        "index.noun",
        "  1 This software\nentity n 1 1 ~ 1 0 00000101  \ngoose n 1 1 @ 1 1 00000102  \n\
         paris n 1 1 @i 1 0 00000103  \nweb-footed_bird n 1 0 1 0 00000102  \n",
    ),
    (
        "index.verb",
        "b v 1 1 @ 1 0 00000102\nc v 1 1 @ 1 0 00000102\nd v 1 1 @ 1 0 00000102\n\
         e v 1 1 @ 1 0 00000102\nf v 1 1 @ 1 0 00000102\ng v 1 1 @ 1 0 00000102\n\
         goose v 1 1 @ 1 0 00000102\nh v 1 1 @ 1 0 00000102\ni v 1 1 @ 1 0 00000102\n\
         inhibit v 1 1 @ 1 0 00000102\nrestrain v 1 1 @ 1 0 00000101\n",
    ),
    ("index.adj", "good a 2 1 & 2 1 00000102 00000101\nwell a 1 1 & 1 0 00000102\r\n"),
    ("index.adv", "good r 1 0 1 0 00000102\nwell r 1 0 1 0 00000101\n"),
    ("noun.exc", "geese gander\ngeese goose\n"),
    ("verb.exc", "forewent forego\n"),
    ("adj.exc", "better good well\n"),
    ("adv.exc", "better well\n"),
];

/// A temporary folder, deleted on drop.
pub(super) struct SampleDict {
    folder: tempfile::TempDir,
}

impl SampleDict {
    pub(super) fn new() -> SampleDict {
        let sample = SampleDict { folder: tempfile::tempdir().expect("a temporary folder") };
        FILES.iter().for_each(|(file, contents)| sample.write(file, contents.as_bytes()));
        sample
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn write(&self, file: &str, contents: &[u8]) {
        std::fs::write(self.folder().join(file), contents).expect("a temporary file");
    }

    pub(super) fn remove(&self, file: &str) {
        std::fs::remove_file(self.folder().join(file)).expect("a temporary file");
    }
}
