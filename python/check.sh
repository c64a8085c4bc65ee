#!/usr/bin/env bash
# Build the wheel with encoders, install it into an environment of its own, and test it: with scikit-learn, with the reference
# implementations, and on a local Spark cluster. Further arguments are pytest's.
#
# PROFILE     how the wheel is compiled [default: ci, nearly as fast as release and built in a fraction of its time]
# PYTHON_ENV  folder of the virtual environment [default: target/python-env]
# TRIBUNAL    the program to compare with [default: target/release/tribunal]
set -euo pipefail
cd "$(dirname "$0")/.."

env=${PYTHON_ENV:-$PWD/target/python-env}
export TRIBUNAL=${TRIBUNAL:-$PWD/target/release/tribunal} PIP_DISABLE_PIP_VERSION_CHECK=1
[ -x "$TRIBUNAL" ] || { echo "python/check.sh: no program at $TRIBUNAL: run 'cargo build --release', or set TRIBUNAL" >&2; exit 1; }

[ -x "$env/bin/python" ] || python3 -m venv --clear "$env"
"$env/bin/python" -m pip install --quiet --requirement python/requirements-test.txt
rm -rf target/wheels
(cd python && "$env/bin/maturin" build --quiet --profile "${PROFILE:-ci}" --features encoder --target-dir ../target --out ../target/wheels)
"$env/bin/python" -m pip install --quiet --force-reinstall --no-deps target/wheels/tribunal_metrics-*.whl

# From the root: in python/ the sources would stand in the way of what is installed.
"$env/bin/python" -m mypy.stubtest tribunal --mypy-config-file python/mypy.ini --allowlist python/stubtest.txt
"$env/bin/python" -m pytest python/tests -q "$@"
