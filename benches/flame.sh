#!/usr/bin/env bash
# Draws where predict spends its time: docs/predict.svg, a flame graph.
#
#     benches/flame.sh PAIRS
#
# PAIRS is a file of `hyp1 ||| hyp2 ||| ref` lines, of which the first thousand are judged again and again, without any memory of
# segments. Needs perf and inferno (`cargo install inferno`).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
for program in perf inferno-collapse-perf inferno-flamegraph; do
    command -v "$program" >/dev/null || { echo "flame.sh: $program is not on the PATH; install it and run this again" >&2; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

export CARGO_PROFILE_RELEASE_DEBUG=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
RUSTFLAGS="-C force-frame-pointers=yes" cargo build --quiet --release --manifest-path "$root/Cargo.toml" --target-dir "$root/target/flame"
for _ in 1 2 3 4 5; do head -n 1000 "$1"; done >"$scratch/pairs"
perf record -F 1999 -g -o "$scratch/data" \
    "$root/target/flame/release/tribunal" predict "$scratch/pairs" --threads 1 -o "$scratch/eval.out" >/dev/null
# Only Tribunal's own functions: how rayon halves the work, and what the standard library wraps around it, would hide them.
perf script -i "$scratch/data" 2>/dev/null | inferno-collapse-perf | sed -E '
    s/ ([0-9]+)$/;\1/
    :again
    s/;[^;]*(rayon|std::|core::|alloc::|_start|__rust|__libc|\[unknown\])[^;]*;/;/
    t again
    s/;([0-9]+)$/ \1/' >"$scratch/stacks"
inferno-flamegraph --title "tribunal predict --threads 1 --every-segment" --minwidth 0.3 "$scratch/stacks" >"$root/docs/predict.svg"
