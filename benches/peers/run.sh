#!/usr/bin/env bash
# Prints the tables of docs/performance.md: Tribunal beside the programs that it replaces, and what it costs by itself.
# User CPU time on one core, interleaved, over several rounds, on segments that are all different.
#
#     benches/peers/run.sh PAIRS... [--rounds 5] [--limit N] [--rows bleu,chrf] [--train CSV...] [--memory-pairs N] [--no-costs]
#
# PAIRS are files of `hyp1 ||| hyp2 ||| ref` lines, or tables in CSV that `tribunal import` wrote. Installs the peers into
# $PEERS_DIR first (default: target/peers of this repository; see tests/golden/install.sh for what it needs), and needs cc
# and cargo.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export PEERS_DIR=${PEERS_DIR:-$root/target/peers}
built=$root/target/peers-built

for program in cc cargo; do
    command -v "$program" >/dev/null || { echo "run.sh: $program is not on the PATH; install it and run this again" >&2; exit 1; }
done
"$root/tests/golden/install.sh"
mkdir -p "$built"
cc -O3 -march=native -o "$built/floor" "$here/floor.c"
cargo build --quiet --release --manifest-path "$here/bleuscore/Cargo.toml" --target-dir "$built/bleuscore"
cargo build --quiet --release --manifest-path "$root/Cargo.toml"
exec "$PEERS_DIR/venv/bin/python" "$here/side_by_side.py" --built "$built" --tribunal "$root/target/release/tribunal" "$@"
