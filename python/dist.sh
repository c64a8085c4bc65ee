#!/usr/bin/env bash
# Build what is published on PyPI into target/dist, and check it: wheels for Linux with glibc 2.17 or later on x86-64 and, where Rust's
# standard library for it can be installed, aarch64; and the source distribution, from which the package is built and imported.
#
# PROFILE     how they are compiled [default: release]
# TARGETS     platforms of the wheels [default: both]; none builds the source distribution alone
# PYTHON_ENV  folder of the virtual environment [default: target/python-env]
set -euo pipefail
cd "$(dirname "$0")/.."

env=${PYTHON_ENV:-$PWD/target/python-env} dist=$PWD/target/dist profile=${PROFILE:-release}
targets=${TARGETS-x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu}
export PIP_DISABLE_PIP_VERSION_CHECK=1

[ -x "$env/bin/python" ] || python3 -m venv --clear "$env"
"$env/bin/python" -m pip install --quiet --requirement python/requirements-dist.txt
rm -rf "$dist"
(cd python && "$env/bin/maturin" sdist --out "$dist")
for target in $targets; do
    rustup target add "$target" || { echo "skipped: no standard library for $target"; continue; }
    # zig links against the glibc that the wheel promises, whatever this machine has.
    (cd python && PATH="$env/bin:$PATH" "$env/bin/maturin" build --quiet --zig --compatibility manylinux2014 --profile "$profile" \
        --target "$target" --target-dir ../target --out "$dist")
done
"$env/bin/twine" check --strict "$dist"/*

# From the source distribution alone, in an environment of its own.
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 -m venv "$fresh/env"
"$fresh/env/bin/python" -m pip install --quiet 'maturin>=1.9,<2'
# And with a build folder of its own: by their times Cargo would take the sources for those that are already built.
export CARGO_TARGET_DIR=$PWD/target/source MATURIN_PEP517_ARGS="--profile $profile"
PATH="$fresh/env/bin:$PATH" "$fresh/env/bin/python" -m pip install --quiet --no-build-isolation "$dist"/tribunal-*.tar.gz
(cd "$fresh" && env/bin/python -c 'import tribunal; print(tribunal.__version__, "built from its source distribution")')
ls -l "$dist"
