"""Make an executed notebook fit to be kept: small, the same from run to run, and without paths of this machine.

Usage: python tidy.py NOTEBOOK [PATH...]     fails if an output writes to standard error or names a PATH
"""

import base64
import io
import json
import sys
from pathlib import Path

from PIL import Image

LARGEST = 600_000  # bytes


def smaller(png):
    """The same picture with a palette of 256 colours: less than half the bytes."""
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB").quantize(256)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode("ascii") + "\n"


def joined(outputs):
    """Pieces of printed text put together: where one ends depends on time."""
    whole = []
    for output in outputs:
        last = whole[-1] if whole else {}
        if output["output_type"] == "stream" == last.get("output_type") and output["name"] == last["name"]:
            last["text"] = "".join([*last["text"], *output["text"]]).splitlines(keepends=True)
        else:
            whole.append(output)
    return whole


def tidy(notebook, paths):
    notebook["metadata"]["language_info"] = {"name": "python"}
    for cell in notebook["cells"]:
        cell["metadata"].pop("execution", None)
        if "outputs" in cell:
            cell["outputs"] = joined(cell["outputs"])
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise SystemExit(f"cell {cell['id']} writes to standard error: {''.join(output['text'])}")
            data = output.get("data", {})
            if "image/png" in data:
                data["image/png"] = smaller(data["image/png"])
            text = json.dumps({**output, "data": {kind: value for kind, value in data.items() if kind != "image/png"}})
            for path in paths:
                if path in text:
                    raise SystemExit(f"an output of cell {cell['id']} names a path of this machine: {path}")


def main(file, *paths):
    notebook = json.loads(Path(file).read_text(encoding="utf-8"))
    tidy(notebook, [path for path in paths if len(path) > 1])
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if len(text.encode("utf-8")) > LARGEST:
        raise SystemExit(f"{file}: {len(text.encode('utf-8'))} bytes, expected at most {LARGEST}: lower the dpi in its first cell")
    Path(file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
