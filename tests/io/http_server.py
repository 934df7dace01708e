#!/usr/bin/env python3
"""A web server with faults, for the tests of fetch: http_server.py FOLDER LOG

Serves FOLDER on a free port of 127.0.0.1, prints the port, and appends "PATH RANGE STATUS" per
request to LOG. It ends when its standard input does. The first part of the path chooses the fault:
  plain     none                       norange   ignores Range
  cutN      sends N bytes, then hangs up, at each request
  errorN    answers 503 to the first N requests of a file
  page      answers 200 with a page of HTML
  wrong     answers 206 with a range nobody asked for
  redirect  sends to plain             empty     answers 200 with nothing
"""
import http.server
import os
import re
import sys
import threading

FOLDER, LOG = sys.argv[1], sys.argv[2]
seen = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", sent=None, headers=()):
        with open(LOG, "a") as log:
            log.write(f"{self.path} {self.headers.get('Range', '-')} {status}\n")
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if sent is None else body[:sent])
        if sent is not None and sent < len(body):
            self.close_connection = True

    def do_GET(self):
        _, fault, path = self.path.split("/", 2)
        number = int(re.sub(r"\D", "", fault) or 0)
        seen[self.path] = seen.get(self.path, 0) + 1
        if fault.startswith("error") and seen[self.path] <= number:
            return self.answer(503, b"later")
        if fault == "page":
            return self.answer(200, b"<html>Welcome to the hotel's network</html>")
        if fault == "empty":
            return self.answer(200)
        if fault == "redirect":
            return self.answer(302, headers=[("Location", f"/plain/{path}")])
        file = os.path.join(FOLDER, path)
        if not os.path.isfile(file):
            return self.answer(404, b"no such file")
        with open(file, "rb") as opened:
            body = opened.read()
        sent = number if fault.startswith("cut") else None
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if not asked or fault == "norange":
            return self.answer(200, body, sent)
        start = int(asked.group(1))
        if start >= len(body):
            return self.answer(416, b"", headers=[("Content-Range", f"bytes */{len(body)}")])
        if fault == "wrong":
            start -= 1
        told = f"bytes {start}-{len(body) - 1}/{len(body)}"
        return self.answer(206, body[start:], sent, [("Content-Range", told)])


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
