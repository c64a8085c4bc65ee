"""The command that the package installs does what the program does."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ANSWERS, PAIRS, PROGRAM

INSTALLED = str(Path(sys.executable).parent / "tribunal")
PAIR = b"The minister has not resigned. ||| Minister the not of. ||| The minister did not resign.\n"


def run(command, *arguments, folder, **options):
    """Status, output and messages of a command."""
    done = subprocess.run([*command, *map(str, arguments)], cwd=folder, capture_output=True, **options)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", [[INSTALLED], [sys.executable, "-m", "tribunal"]], ids=["script", "module"])
@pytest.mark.parametrize(
    ("status", "line"),
    [
        (0, ""),
        (0, "-V"),
        (0, "train --help"),
        (0, f"predict {PAIRS}"),
        (0, f"predict {PAIRS} --json --threads 1 -o verdicts"),
        (0, f"train {PAIRS} -a {ANSWERS} --brief --folds 3 --report report -m model.json"),
        (1, "predict nowhere.pairs"),
        (1, f"check {PAIRS}"),
        (2, "predict --nowhere"),
        (2, "trian"),
    ],
)
def test_output_status_and_files_are_those_of_the_program(command, line, status, tmp_path):
    folders = [tmp_path / "installed", tmp_path / "program"]
    [folder.mkdir() for folder in folders]
    found = run(command, *line.split(), folder=folders[0])
    assert found == run([PROGRAM], *line.split(), folder=folders[1])
    assert found[0] == status
    if status == 1:
        assert found[2].startswith(b"tribunal: ") and found[2].count(b"\n") == 1
    files = [{path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()} for folder in folders]
    assert files[0].keys() == files[1].keys()
    for name, path in files[0].items():
        assert path.read_bytes() == files[1][name].read_bytes(), name


def test_names_of_files_may_have_any_bytes(tmp_path):
    (tmp_path / os.fsdecode(b"\xff.pairs")).write_bytes(PAIR)
    assert run([INSTALLED], "predict", os.fsdecode(b"\xff.pairs"), folder=tmp_path)[:2] == (0, b"1\n")


def test_closed_streams(tmp_path):
    def shell(line):
        return run(["bash", "-c", line, INSTALLED, PAIRS], folder=tmp_path)

    status, _, message = shell('"$0" predict "$1" >&-')
    assert status == 1 and message.startswith(b"tribunal: standard output: expected a file, a pipe or a terminal")
    # As `yes | head` does: the end of the reader is no fault.
    assert shell('set -o pipefail; "$0" features "$1" | head -1 | wc -l') == (0, b"1\n", b"")
    assert shell('"$0" --help >/dev/full')[0] == 1
    # No file that is written takes the place of a closed stream.
    assert shell('"$0" features "$1" -o closed.csv <&- 2>&-; "$0" features "$1" -o open.csv')[0] == 0
    assert (tmp_path / "closed.csv").read_bytes() == (tmp_path / "open.csv").read_bytes()


@pytest.mark.parametrize("is_ignored", [False, True])
def test_ctrl_c(is_ignored):
    """It ends the command at once and without a word; not where the parent has it ignored, as for background jobs."""
    inherited = signal.SIG_IGN if is_ignored else signal.SIG_DFL
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    line = [INSTALLED, "predict", "-", "--unbuffered", "--quiet"]
    with subprocess.Popen(line, preexec_fn=lambda: signal.signal(signal.SIGINT, inherited), **pipes) as command:
        command.stdin.write(PAIR)
        command.stdin.flush()
        assert command.stdout.readline() == b"1\n"
        command.send_signal(signal.SIGINT)
        if not is_ignored:
            assert command.wait() == -signal.SIGINT
        out, messages = command.communicate(None if command.returncode else PAIR)
    assert (out, messages) == ((b"1\n", b"") if is_ignored else (b"", b""))
    assert command.returncode == (0 if is_ignored else -signal.SIGINT)
