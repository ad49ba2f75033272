"""The health check of the container: fails unless its server is ready."""

import os
from urllib.request import ProxyHandler, build_opener

host = os.environ["RATSCREW_HOST"]
host = "127.0.0.1" if host in ("::", "0.0.0.0") else f"[{host}]" if ":" in host else host
direct = build_opener(
    ProxyHandler({})
)  # a company's proxy, which Docker sets in each container, does not know this one
direct.open(f"http://{host}:{os.environ['RATSCREW_PORT']}/api/ready", timeout=4)
