#!/usr/bin/env bash
# What needs METEOR's own paraphrase table (61 MB): the scores with all of it are those of METEOR's program, and the table
# inside Tribunal is what its builder makes of it. Looks for the table where install.sh puts it, else gets it from PyPI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

peers=${PEERS_DIR:-target/peers}
table=${METEOR_TABLE:-$peers/meteor15/data/paraphrase-en.gz}
if [ ! -f "$table" ]; then
    package=$(grep '^pycocoevalcap==' tests/golden/requirements.txt)
    if python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$peers/meteor" "$package"; then
        table=$peers/meteor/pycocoevalcap/meteor/data/paraphrase-en.gz
    else
        echo "skipped: METEOR's paraphrase table is not at $table, and PyPI cannot be reached"
        exit 0
    fi
fi
table=$(realpath "$table")

METEOR_TABLE=$table cargo test --profile ci --test it -- --ignored --exact \
    golden_meteor::segments_and_systems_with_all_paraphrases
cargo run --quiet --profile ci --package tribunal-text-metrics --example build_paraphrases -- "$table" target/paraphrases.idx
cmp target/paraphrases.idx crates/metrics/data/meteor/paraphrases.idx && echo "the same bytes"
