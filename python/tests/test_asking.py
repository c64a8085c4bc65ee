"""Verdicts of a language model on tables in memory, of a server in the test."""

import http.server
import json
import logging
import threading

import pandas as pd
import pytest
import tribunal
from conftest import run_examples

TABLE = {
    "prompt": [f"q{at}" for at in range(12)],
    "hyp1": ["short"] * 6 + ["a longer text"] * 6,
    "hyp2": ["a longer text"] * 6 + ["short"] * 6,
    "label": [-1] * 6 + [1] * 6,
}


class Server(http.server.BaseHTTPRequestHandler):
    """Prefers the longer text; an output passes if it is long."""

    protocol_version = "HTTP/1.1"
    seen: list[dict] = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(body)
        shown = body["messages"][1]["content"]
        if "<response A" in shown:
            content = {"better": "A" if shown.find("longer") < shown.find("short") else "B"}
        else:
            content = {"verdict": "pass" if "longer" in shown else "fail"}
        choice = {"message": {"content": json.dumps(content)}, "finish_reason": "stop"}
        model = body["model"] if body["model"] != "other" else "m"
        answer = json.dumps({"model": model, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def url():
    Server.seen.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_pairs_are_judged_in_both_orders(url, tmp_path, caplog):
    with caplog.at_level(logging.INFO, logger="tribunal"):
        columns = tribunal.ask(TABLE, url=url, model="m", name="gpt", journal=tmp_path / "gpt.journal")
    assert columns == {"gpt.12": [-1.0] * 6 + [1.0] * 6, "gpt.21": [-1.0] * 6 + [1.0] * 6}
    assert "24 requests" in caplog.text and len(Server.seen) == 24
    report = tribunal.compare({**TABLE, **columns}, judges=["gpt"])
    assert report["gpt"]["accuracy"] == 1.0
    # The journal answers what was asked.
    assert tribunal.ask(TABLE, url=url, model="m", name="gpt", journal=tmp_path / "gpt.journal") == columns
    assert len(Server.seen) == 24


def test_outputs_pass_or_fail(url):
    table = {"prompt": ["q", "r"], "output": ["a longer text", "short"]}
    assert tribunal.ask(table, url=url, model="models/m") == {"m": [1.0, 0.0]}


def test_the_tutorial_runs(url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"tribunal": tribunal, "frame": pd.DataFrame(TABLE), "url": url}
    assert run_examples("docs/tutorials/asking.md", names, runner="python/tests/test_asking.py") == 2


def test_what_is_wrong_is_told(url):
    with pytest.raises(ValueError, match="form: expected one of schema, letter, reason, found 'prose'"):
        tribunal.ask(TABLE, url=url, model="m", form="prose")
    with pytest.raises(ValueError, match="expected answers of 'other' in the field model, found 'm'"):
        tribunal.ask(TABLE, url=url, model="other")
    with pytest.raises(ValueError, match="`url`: expected an answer to the first request"):
        tribunal.ask(TABLE, url="http://127.0.0.1:9", model="m")
