"""The command line: ``tribunal``, or ``python -m tribunal``."""

import os
import signal
import sys

from tribunal import _native


def main() -> int:
    """Run the command line with the arguments of this process, and return its exit status."""
    is_stdout_closed = sys.stdout is None
    # As the runtime of a Rust program does: no file that is opened later takes the place of a closed standard stream.
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # Ctrl-C ends the process at once, as it ends a program without Python, unless its parent has it ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.run_command_line(sys.argv[1:], is_stdout_closed)


if __name__ == "__main__":
    sys.exit(main())
