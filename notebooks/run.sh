#!/usr/bin/env bash
# Execute all notebooks afresh; fail if a cell fails. With --keep write the outputs back into them.
#
# PYTHON_ENV      virtual environment that has all of requirements.txt: nothing else is installed into it
#                 [default: ../target/notebook-env, made where it is missing]
# TRIBUNAL_WHEEL  wheel of the Python package, installed into the environment
#                 [default: the package that the environment has; where it has none, ../python is built]
set -euo pipefail

case "$#:${1-}" in
    0:) keep= ;;
    1:--keep) keep=yes ;;
    *) echo "usage: notebooks/run.sh [--keep]" >&2; exit 2 ;;
esac

absolute() { case "$1" in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
env=$(absolute "${PYTHON_ENV:-$root/target/notebook-env}")

# Settings and caches stay in a folder of ours; the user's own are not read.
scratch=$root/target/notebook
mkdir -p "$scratch"
export IPYTHONDIR="$scratch/ipython" MPLCONFIGDIR="$scratch/matplotlib" JUPYTER_CONFIG_DIR="$scratch/jupyter" JUPYTER_DATA_DIR="$scratch/jupyter"
export JUPYTER_PREFER_ENV_PATH=1 PIP_DISABLE_PIP_VERSION_CHECK=1
pip() { "$env/bin/python" -m pip install --quiet "$@"; }
if [ -z "${PYTHON_ENV:-}" ]; then
    [ -x "$env/bin/python" ] || python3 -m venv --clear "$env"
    pip --requirement "$here/requirements.txt"
fi
if [ "${TRIBUNAL_WHEEL:-}" ]; then
    pip --force-reinstall --no-deps "$(absolute "$TRIBUNAL_WHEEL")"
elif ! (cd / && "$env/bin/python" -c "import tribunal") 2>/dev/null; then
    echo "notebooks/run.sh: building the Python package: this takes some minutes" >&2
    pip "$root/python"
fi
"$env/bin/python" -c "import matplotlib.pyplot" 2>/dev/null # builds the font cache, whose note would stand in a notebook

# nbconvert talks to the kernel by sockets in a folder of ours: no open port. Their names must be short, and absolute:
# by default they would be relative, and nbconvert and the kernel run in different folders.
JUPYTER_RUNTIME_DIR=$(mktemp -d /tmp/tribunal-XXXXXX)
export JUPYTER_RUNTIME_DIR
trap 'rm -rf "$JUPYTER_RUNTIME_DIR"' EXIT

for notebook in "$here"/*.ipynb; do
    name=$(basename "$notebook")
    "$env/bin/python" -m nbconvert --to notebook --execute --log-level WARN --output-dir "$scratch" --output "$name" \
        --KernelManager.transport=ipc --KernelManager.ip="$JUPYTER_RUNTIME_DIR/kernel" --ExecutePreprocessor.record_timing=False \
        --ExecutePreprocessor.timeout=600 "$notebook"
    "$env/bin/python" "$here/tidy.py" "$scratch/$name" "$root" "$env" "${HOME:-}" "${TMPDIR:-/tmp}"
    if [ "$keep" ]; then
        cp "$scratch/$name" "$notebook.new"
        mv "$notebook.new" "$notebook"
        echo "notebooks/$name: executed, outputs kept, $(wc -c <"$notebook") bytes"
    else
        echo "notebooks/$name: executed"
    fi
done
