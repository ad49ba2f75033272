"""Discord as far as an activity sees it: the page around its frame, and the proxy with a name and a certificate.

The page answers the first message of Discord's SDK as Discord's client does (opcodes of its protocol: 0 is the
greeting, 1 a message). The proxy ends the encryption and passes on everything else.
"""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from urllib.parse import urlencode

from tests.browser.far import Far

APPLICATION = "123456789012345678"
HOST = f"{APPLICATION}.discordsays.com"
PAGE = "https://discord.com/channels/1/2"

_AROUND = """<!doctype html>
<title>Discord</title>
<style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh }</style>
<script>
  window.greetings = []
  addEventListener('message', ({ data: [opcode, message], source, origin }) => {
    greetings.push([opcode, message.client_id, origin])
    const data = { v: 1, config: { api_endpoint: '', environment: '' } }
    source.postMessage([1, { cmd: 'DISPATCH', evt: 'READY', nonce: null, data }], origin)
  })
</script>
<iframe id="activity" src="ADDRESS" sandbox="allow-scripts allow-same-origin allow-forms allow-popups"></iframe>
"""


def around(instance: str) -> str:
    """Discord's page with the frame of an instance of the activity."""
    query = {"instance_id": instance, "frame_id": "frame-1", "platform": "desktop", "channel_id": "2"}
    return _AROUND.replace("ADDRESS", f"https://{HOST}/?{urlencode(query)}".replace("&", "&amp;"))


def discord_proxy(folder: Path, port: int) -> Far:
    """Discord's proxy in front of a server's port."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    return Far(port, 0, tls=tls)


def flags(proxy: Far) -> tuple[str, ...]:
    """The flags with which Chromium takes this proxy for Discord's, on the internet and not on this machine."""
    end = f"127.0.0.1:{proxy.port}"
    return f"--host-resolver-rules=MAP {HOST} {end}", f"--ip-address-space-overrides={end}=public"
