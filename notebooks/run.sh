#!/usr/bin/env bash
# Execute sample.ipynb afresh; fail if a cell fails. With --keep write the outputs back into sample.ipynb.
#
# TRIBUNAL      the binary [default: ../target/release/tribunal, from this folder]
# NOTEBOOK_ENV  folder of the virtual environment [default: ../target/notebook-env]
set -euo pipefail

case "$#:${1-}" in
    0:) keep= ;;
    1:--keep) keep=yes ;;
    *) echo "usage: notebooks/run.sh [--keep]" >&2; exit 2 ;;
esac

absolute() { case "$1" in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
env=$(absolute "${NOTEBOOK_ENV:-$root/target/notebook-env}")
TRIBUNAL=$(absolute "${TRIBUNAL:-$root/target/release/tribunal}")
export TRIBUNAL
if [ ! -x "$TRIBUNAL" ]; then
    echo "notebooks/run.sh: no program at $TRIBUNAL: run 'cargo build --release', or set TRIBUNAL" >&2
    exit 1
fi

# Settings and caches stay in the environment; the user's own are not read.
export IPYTHONDIR="$env/ipython" MPLCONFIGDIR="$env/matplotlib" JUPYTER_CONFIG_DIR="$env/jupyter" JUPYTER_DATA_DIR="$env/jupyter"
export JUPYTER_PREFER_ENV_PATH=1 PIP_DISABLE_PIP_VERSION_CHECK=1
[ -x "$env/bin/python" ] || python3 -m venv --clear "$env"
"$env/bin/python" -m pip install --quiet --requirement "$here/requirements.txt"
"$env/bin/python" -c "import matplotlib.pyplot" 2>/dev/null # builds the font cache, whose note would stand in the notebook

# nbconvert talks to the kernel by sockets in a folder of ours: no open port. Their names must be short, and absolute:
# by default they would be relative, and nbconvert and the kernel run in different folders.
JUPYTER_RUNTIME_DIR=$(mktemp -d /tmp/tribunal-XXXXXX)
export JUPYTER_RUNTIME_DIR
trap 'rm -rf "$JUPYTER_RUNTIME_DIR"' EXIT

out=$root/target/notebook
mkdir -p "$out"
"$env/bin/python" -m nbconvert --to notebook --execute --log-level WARN --output-dir "$out" --output sample.ipynb \
    --KernelManager.transport=ipc --KernelManager.ip="$JUPYTER_RUNTIME_DIR/kernel" --ExecutePreprocessor.record_timing=False \
    --ExecutePreprocessor.timeout=600 "$here/sample.ipynb"
"$env/bin/python" "$here/tidy.py" "$out/sample.ipynb" "$root" "$env" "$TRIBUNAL" "${HOME:-}" "${TMPDIR:-/tmp}"

if [ "$keep" ]; then
    cp "$out/sample.ipynb" "$here/sample.ipynb.new"
    mv "$here/sample.ipynb.new" "$here/sample.ipynb"
    echo "notebooks/sample.ipynb: executed, outputs kept, $(wc -c <"$here/sample.ipynb") bytes"
else
    echo "notebooks/sample.ipynb: executed"
fi
