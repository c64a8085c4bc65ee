#!/usr/bin/env bash
# Build what is released into target/dist, and try it. For each target, with `ask`, encoders and Parquet, a wheel and an archive of the
# program; for the targets of Linux they need glibc 2.17. Besides, the source distribution of the Python package, from which it
# is built and imported, and the checksums of all files.
#
# PROFILE     how they are compiled [default: release]
# TARGETS     what they are compiled for [default: Linux on x86-64 and aarch64]; none builds the source distribution alone
# SOURCE      whether the source distribution is built [default: yes]
# PYTHON_ENV  folder of the virtual environment [default: target/python-env]
#
# On Linux, zig links for any target: with the right glibc, with MinGW for x86_64-pc-windows-gnu, and for macOS with its SDK in
# the folder SDKROOT. On macOS and Windows the linker of the system does, for the targets of that system.
set -euo pipefail
cd "$(dirname "$0")/.."

env=${PYTHON_ENV:-$PWD/target/python-env} dist=$PWD/target/dist profile=${PROFILE:-release}
targets=${TARGETS-x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
host=$(rustc -vV | sed -n 's/^host: //p')
export PIP_DISABLE_PIP_VERSION_CHECK=1
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

programs() { # programs ENV: the folder of a virtual environment with its programs
    if [ -d "$1/Scripts" ]; then echo "$1/Scripts"; else echo "$1/bin"; fi
}

wheel() { # wheel TARGET
    local options=(--profile "$profile" --features encoder,parquet --target "$1" --target-dir ../target --out "$dist")
    case "$(uname -s) $1" in
    "Linux "*-linux-gnu) options+=(--zig --compatibility manylinux2014) ;;
    "Linux "*) options+=(--zig) ;;
    esac
    (cd python && maturin build --quiet "${options[@]}")
}

archive() { # archive TARGET: the program with its licences, as .tar.gz, or as .zip for Windows
    local options=(--profile "$profile" --features ask,encoder,parquet --target-dir target)
    case "$(uname -s) $1" in
    "Linux "*-linux-gnu) cargo-zigbuild zigbuild --quiet "${options[@]}" --target "$1.2.17" ;;
    "Linux "*) cargo-zigbuild zigbuild --quiet "${options[@]}" --target "$1" ;;
    *) cargo build --quiet "${options[@]}" --target "$1" ;;
    esac
    local name=tribunal-$version-$1 program=tribunal format=gztar
    case "$1" in *-windows-*) program=tribunal.exe format=zip ;; esac
    mkdir -p "$fresh/$name/licences"
    cp "target/$1/$profile/$program" README.md CHANGELOG.md LICENSE-* "$fresh/$name/"
    cp docs/licences.md docs/crates.txt "$fresh/$name/licences/"
    cp crates/metrics/data/wordnet/LICENSE "$fresh/$name/licences/WordNet"
    cp crates/metrics/data/meteor/LICENSE "$fresh/$name/licences/METEOR"
    python -c 'import shutil, sys; shutil.make_archive(*sys.argv[1:])' "$dist/$name" "$format" "$fresh" "$name"
}

try() { # try TARGET: what was built for this machine is installed, and judges the sample
    python -m venv "$fresh/try"
    "$(programs "$fresh/try")/python" -m pip install --quiet "$dist"/tribunal_metrics-*.whl
    for program in "$(programs "$fresh/try")/tribunal" "$fresh/tribunal-$version-$1/tribunal"; do
        "$program" --version
        (cd "$fresh" && rm -rf demo && "$program" demo >/dev/null && "$program" features demo/new.pairs -o demo/new.parquet --quiet)
    done
}

source_distribution() { # from it alone, in an environment of its own
    (cd python && maturin sdist --out "$dist")
    python -m venv "$fresh/source"
    local bin
    bin=$(programs "$fresh/source")
    "$bin/python" -m pip install --quiet 'maturin>=1.9,<2'
    # With a build folder of its own, without our crates of an earlier build: Cargo would take the sources, whose times the
    # distribution does not keep, for those.
    rm -rf target/source/*/.fingerprint/tribunal*
    CARGO_TARGET_DIR=$PWD/target/source MATURIN_PEP517_ARGS="--profile $profile" PATH="$bin:$PATH" \
        "$bin/python" -m pip install --quiet --no-build-isolation "$dist/tribunal_metrics-$version.tar.gz"
    (cd "$fresh" && "$bin/python" -c 'import tribunal; print(tribunal.__version__, "built from its source distribution")')
}

[ -d "$env" ] || "$(command -v python3 || command -v python)" -m venv "$env"
PATH=$(cd "$(programs "$env")" && pwd):$PATH
python -m pip install --quiet --requirement python/requirements-dist.txt
rm -rf "$dist"
mkdir -p "$dist"
for target in $targets; do
    rustup target add "$target" || { echo "skipped: no standard library for $target"; continue; }
    wheel "$target"
    archive "$target"
    [ "$target" != "$host" ] || try "$target"
done
[ "${SOURCE-yes}" != yes ] || source_distribution
twine check --strict "$dist"/tribunal_metrics-*
if command -v sha256sum >/dev/null; then sums=sha256sum; else sums='shasum -a 256'; fi
(cd "$dist" && $sums -- * >SHA256SUMS && ls -l)
