"""Complete HTTP responses as bytes, for connections whose requests are not parsed."""

from __future__ import annotations


def refusal(status: str, sentence: str) -> bytes:
    """A complete HTTP response as bytes."""
    body = f"{sentence}\n".encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Retry-After: 2\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
