"""A server as a process of its own, and programs that talk to it."""

import http.client
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

SERVE = """
import json, os, signal, sys, tempfile
from ensue.web import WebSettings, create_app
from ensue.web.server import ListenAddress, serve
from ensue.workbench import Limits, open_workbench
import uvicorn, uvicorn.protocols.http.auto, uvicorn.lifespan.on, uvicorn.loops.auto
with tempfile.TemporaryDirectory() as folder:
    first = open_workbench(f"sqlite:///{folder}/first.sqlite")
    create_app(first).openapi()
    first.close()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
url, limits = sys.argv[1], Limits(**json.loads(sys.argv[2]))
for port in map(int, sys.stdin):
    if os.fork() == 0:
        tell = lambda address: print(os.getpid(), address, flush=True)
        serve(open_workbench(url, limits), WebSettings(), ListenAddress(port=port), on_ready=tell)
        os._exit(0)
"""
"""Begins a server for each port that it is told; what servers share is loaded once."""


class Server:
    """A workbench that is served, ended at any moment, and served again at the same address."""

    def __init__(self, url, folder, **limits):
        self.folder = folder
        self.limits = limits
        self.port = 0
        self.pid = None
        folder.mkdir(exist_ok=True)
        with (folder / "log").open("ab") as log:
            self.parent = subprocess.Popen(
                [sys.executable, "-c", SERVE, url, json.dumps(limits)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "TMPDIR": str(folder)},
            )

    def begin(self):
        """Serve, and come back once it answers."""
        self.parent.stdin.write(f"{self.port}\n")
        self.parent.stdin.flush()
        said = self.parent.stdout.readline()
        assert " http://" in said, (self.folder / "log").read_text()
        pid, address = said.split()
        self.pid = int(pid)
        self.port = int(address.rstrip("/").rpartition(":")[2])

    def kill(self):
        """End it as a power cut would."""
        os.kill(self.pid, signal.SIGKILL)
        while Path(f"/proc/{self.pid}").exists():  # until its port is free
            time.sleep(0.005)
        self.pid = None

    def end(self):
        """Kill what is there, and begin no other."""
        if self.pid:
            self.kill()
        self.parent.communicate()

    def memory(self):
        """The most bytes that it has held so far."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) << 10

    def spooled(self):
        """Bytes of temporary files that it has open, removed or not."""
        total = 0
        for each in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                if str(each.readlink()).startswith(str(self.folder)):
                    total += each.stat().st_size
            except FileNotFoundError:
                continue
        return total


class Program:
    """Somebody's program, with a token."""

    def __init__(self, server, token):
        self.server, self.token = server, token

    def ask(self, method, path, body=None, **headers):
        """The status of the answer, and what it says.

        Raises:
            OSError: there is no answer, or half of one.
        """
        whole = {"authorization": f"Bearer {self.token}", "accept": "application/json", **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        try:
            connection.request(method, path, body, whole)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (http.client.HTTPException, ValueError) as error:
            raise ConnectionError(str(error)) from None
        finally:
            connection.close()

    def send_file(self, path, name, content):
        """Send a file as a form does."""
        boundary = secrets.token_hex(8)
        body = (
            f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        ).encode()
        body += content + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        return self.ask("POST", path, body, **{"content-type": kind})
