import json
import os
import threading
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
MAX_BODY_BYTES = 64 * 1024
MAX_KNOWN = 10_000
# Oldest first.
seen: OrderedDict[str, bool] = OrderedDict()
latest: OrderedDict[str, int] = OrderedDict()
lock = threading.Lock()


def bounded(known: OrderedDict) -> None:
    if len(known) > MAX_KNOWN:
        known.popitem(last=False)


def handle(event: dict) -> None:
    data = event["data"]
    print(event["type"], data.get("id") or data.get("endpoint_id") or data.get("rule"), data.get("status", ""), flush=True)


def receive(event_id: str, event: dict) -> None:
    with lock:
        # A duplicate: this event was handled already.
        if event_id in seen:
            return
        video, sequence = event["data"].get("id"), event["data"].get("sequence")
        # Otherwise a newer event of the same video came first.
        if sequence is None or sequence >= latest.get(video, 0):
            handle(event)
            if sequence is not None:
                latest[video] = sequence
        seen[event_id] = True
        bounded(seen)
        bounded(latest)


class Receiver(BaseHTTPRequestHandler):
    # Seconds. It ends a request that sends less than it announced.
    timeout = 10

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > MAX_BODY_BYTES:
            return self.answer(413)
        # The raw bytes: the signature is of the exact bytes, not of the parsed JSON.
        body = self.rfile.read(int(length))
        try:
            webhook.verify(body, dict(self.headers.items()))
            event = json.loads(body)
        # The library lets a ValueError through: a signature that is not base64, or a body that is not UTF-8.
        except (WebhookVerificationError, ValueError):
            return self.answer(400)
        receive(self.headers["webhook-id"], event)
        return self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "3000"))
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/hook", flush=True)
    server.serve_forever()
