"""The interpreter goes on while something is computed, and can stop it."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import tribunal

#: Enough work for many seconds: all texts differ.
WORK = """
    import tribunal
    words = "the quick brown fox jumps over a lazy dog while seven old men look at its long shadow".split()
    text = lambda n, skip: " ".join(words[(n * k + skip) % len(words)] + (str(n) if k % 5 == skip else "") for k in range(30))
    pairs = [(text(n, 1), text(n, 2), text(n, 3)) for n in range(400_000)]
"""


@pytest.mark.parametrize("call", ["tribunal.features(pairs)", "tribunal.Model.builtin().predict(pairs)", "tribunal.train(pairs, [1, -1] * 200_000)"])
def test_interrupts_end_a_call_within_a_second(call):
    script = textwrap.dedent(WORK) + textwrap.dedent(f"""
        import sys, time
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print(time.time(), flush=True)
            # The interpreter is as it was.
            assert tribunal.score("a b", "a b", ["chrf"])["chrf"] == 100
            sys.exit(7)
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    assert process.poll() is None, "it was over before it could be interrupted"
    sent = time.time()
    process.send_signal(signal.SIGINT)
    stopped = float(process.stdout.readline())
    assert stopped - sent < 1.0
    assert process.wait(timeout=30) == 7


def test_other_threads_run_meanwhile(rows):
    # Distinct texts, so that nothing is looked up twice.
    pairs = [(f"{a} {n}", f"{b} {n}", f"{c} {n}") for n in range(40) for a, b, c in rows]
    model, seen = tribunal.Model.builtin(), []
    is_over = threading.Event()

    def count():
        while not is_over.is_set():
            seen.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    model.predict(pairs)
    stop = time.perf_counter()
    is_over.set()
    thread.join()
    # With the lock held, there would be one at most. On a busy machine there are fewer than one in a millisecond.
    assert sum(start < moment < stop for moment in seen) >= 10


def test_several_threads_at_once(rows):
    model = tribunal.Model.builtin()
    expected, found = model.predict_proba(rows), [None] * 4

    def work(at):
        found[at] = model.predict_proba(rows)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((one == expected).all() for one in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_has_threads_of_its_own(rows):
    model = tribunal.Model.builtin()
    expected = model.predict(rows)
    child = os.fork()
    if child == 0:
        is_same = (model.predict(rows) == expected).all()
        os._exit(0 if is_same else 1)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.05)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("the child waits for threads that its parent has")
    assert os.waitstatus_to_exitcode(status) == 0


def test_the_number_of_threads_changes_nothing(rows):
    try:
        tribunal.set_threads(1)
        one = tribunal.features(rows).to_numpy()
        tribunal.set_threads(3)
        assert (tribunal.features(rows).to_numpy() == one).all()
    finally:
        tribunal.set_threads(0)
