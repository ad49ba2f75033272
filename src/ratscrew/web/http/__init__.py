"""What handlers of HTTP requests share: responses, cookies, proxies, idempotency, static files."""
