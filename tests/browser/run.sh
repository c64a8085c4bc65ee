#!/usr/bin/env bash
# Opens the pages that Tribunal writes in Debian's Chromium: no console error, no request, no overlap with a narrow or a
# wide font, nothing that axe-core finds; the table of pairs is searched, filtered and sorted; a planted script is seen
# as text. A program without CSS draws the charts in their colours. Labels pairs and outputs on the pages of annotate by
# keyboard, and trains on what they export, or ranks by it.
#
#     tests/browser/run.sh [PROGRAM] [--shots FOLDER]
#
# PROGRAM is target/ci/tribunal unless named. Pictures of the pages go into FOLDER.
set -euo pipefail
cd "$(dirname "$0")/../.."

program=target/ci/tribunal
if [ $# -gt 0 ] && [ "$1" != --shots ]; then program=$1; shift; fi

need() { # need PROGRAM PACKAGE...
    command -v "$1" >/dev/null && return
    apt-get update -qq && apt-get install -qq -y --no-install-recommends "${@:2}" >/dev/null
}
need chromium chromium
need node nodejs npm
need fc-list fontconfig
need rsvg-convert librsvg2-bin
for font in "Noto Sans:fonts-noto-core" "DejaVu Sans:fonts-dejavu-core"; do
    # Chromium alone brings no font.
    fc-list | grep -qF "${font%%:*}" || { apt-get update -qq && apt-get install -qq -y --no-install-recommends "${font#*:}" >/dev/null; }
done
npm --prefix tests/browser ci --silent --no-audit --no-fund

# The sample, with texts that a page could trip over.
pages=target/pages
rm -rf "$pages" && mkdir -p "$pages"
python3 tests/browser/plant.py data/sample/sample.pairs >"$pages/planted.pairs"
"$program" train "$pages/planted.pairs" --answers data/sample/sample.answers --quiet \
    -m "$pages/model.json" --report "$pages/train" >"$pages/train.txt"
"$program" compare "$pages/planted.pairs" --answers data/sample/sample.answers --quiet \
    -m "$pages/model.json" -m builtin --report "$pages/compare" >"$pages/compare.txt"
"$program" explain "$pages/planted.pairs" --line 1 --html "$pages/explanation.html" >"$pages/explanation.txt"
cp "$pages/compare/report.html" "$pages/compare.html"
cp "$pages/train/report.html" "$pages/train.html"
python3 tests/browser/arena.py >"$pages/arena.csv"
"$program" rank "$pages/arena.csv" --by both --judge judge --quiet --html "$pages/ranking.html" >"$pages/ranking.txt"
python3 tests/browser/svg.py src/report/html/light.css "$pages"/*/*.svg
node tests/browser/page.mjs "$pages/train.html" "$pages/compare.html" "$pages/explanation.html" "$pages/ranking.html" \
    --planted "$@"

# Pairs labelled by keyboard are what train reads.
head -n 23 "$pages/planted.pairs" >"$pages/label.pairs"
"$program" annotate "$pages/label.pairs" -o "$pages/annotate.html" --controls 3 --quiet
node tests/browser/annotate.mjs "$pages/annotate.html" "$pages/labels.csv" "$pages/pressed.json" "$@"
"$program" train "$pages/labels.csv" --folds 2 --quiet --json >"$pages/labels.json" 2>"$pages/labels.txt"
python3 tests/browser/labels.py "$pages/labels.csv" "$pages/pressed.json" "$pages/labels.json"

# Outputs that pass or fail beside earlier labels, and outputs on a scale, are what rank reads.
label_outputs() { # label_outputs NAME LABELS [OPTIONS OF ANNOTATE...]
    local name=$pages/$1
    python3 tests/browser/outputs.py "$2" >"$name-pool.csv"
    "$program" next "$name-pool.csv" -n 24 --judge gpt -o "$name-next.csv" --quiet
    "$program" annotate "$name-next.csv" -o "$name.html" --judge gpt --controls 3 --quiet "${@:3}"
    node tests/browser/annotate.mjs "$name.html" "$name.csv" "$name-pressed.json" "${shots[@]}"
    "$program" rank "$name.csv" --quiet --json >"$name.json"
    python3 tests/browser/labels.py "$name.csv" "$name-pressed.json" "$name.json"
}
shots=("$@")
label_outputs pass 20
label_outputs rate 0 --scale 1-5
