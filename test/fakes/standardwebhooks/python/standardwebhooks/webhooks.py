"""Stands in for the package of this name: what the example uses of it, with the same faults."""
import base64
import hashlib
import hmac
import time


class WebhookVerificationError(Exception):
    pass


class Webhook:
    def __init__(self, secret: str):
        self.key = base64.b64decode(secret.removeprefix("whsec_"))

    def verify(self, data: bytes, headers: dict) -> None:
        known = {name.lower(): value for name, value in headers.items()}
        event_id, at, listed = (known.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
        if not (event_id and at and listed):
            raise WebhookVerificationError("headers are missing")
        if abs(time.time() - int(at)) > 300:
            raise WebhookVerificationError("too old or too new")
        mac = hmac.new(self.key, f"{event_id}.{at}.{data.decode()}".encode(), hashlib.sha256).digest()
        for one in listed.split(" "):
            # Here, and where the body is decoded, the package raises a ValueError, too.
            version, signature = one.split(",")
            if version == "v1" and hmac.compare_digest(mac, base64.b64decode(signature)):
                return
        raise WebhookVerificationError("no signature matches")
