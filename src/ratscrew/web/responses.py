"""JSON responses, and error responses: a code, and a sentence for each problem."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import (
    Banned,
    ClusterError,
    Corrupt,
    LimitExceeded,
    LogError,
    NoAccount,
    Overloaded,
    Refusal,
    RulesError,
    TooCostly,
)
from ratscrew.game.codec import Codec
from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import http_schema

TRY_AGAIN_S = 1.0
"""When a request is to be tried again that this node of a cluster cannot answer now."""

MARK, MARK_LASTS_S = "ban", 400 * 24 * 3600
"""The cookie of a browser that was refused because of a ban, which has the ban's id, and how long it is kept."""

BODY_MOST = 4096
"""The longest request body. Unit: bytes."""

LANGUAGE_MOST = 200
"""How much of `Accept-Language` is read: browsers send some forty characters."""

SENTENCES: Mapping[int, tuple[str, str]] = {
    400: ("request", "The request cannot be understood."),
    403: ("elsewhere", "Only pages of this server may send this request."),
    404: ("nowhere", "There is no such page."),
    405: ("method", "This address does not take requests of this method."),
    408: ("slow", "The request took too long to arrive. Try again."),
    413: ("too_large", f"The body of a request may have at most {BODY_MOST} bytes."),
    414: ("too_long", "The address of the request is too long, or has too many parameters."),
    415: ("packed", "Send the body without Content-Encoding."),
    500: ("fault", "Something went wrong on the server, and was logged. Try again."),
}
"""Code and sentence of the errors that occur before a handler runs, by status."""

_UNKEPT = {
    "unkept": "the game cannot be saved at the moment; nothing that you saw is lost: try again",
    "damaged": "the record of this game is damaged and cannot be read",
}

_RESPONSE = Codec[Any](Any)
_logger = logging.getLogger(__name__)


def json_response(value: Any, status: int = 200) -> web.Response:
    """A response with a value as JSON, which no cache may store."""
    body = _RESPONSE.encode(value)
    return web.Response(
        body=body, content_type="application/json", status=status, headers={"Cache-Control": "no-store"}
    )


def language_of(request: web.Request) -> str:
    """The language of the response: `lang` of the query, else the first known one of `Accept-Language`, else `en`."""
    accepted = request.headers.get("Accept-Language", "")[:LANGUAGE_MOST].split(",")
    wanted = [request.query.get("lang", "")[:LANGUAGE_MOST], *accepted]
    codes = [text.strip().lower().partition(";")[0].partition("-")[0] for text in wanted]
    return next((code for code in codes if code in LANGUAGES), "en")


def log_error_code(error: LogError) -> Literal["unkept", "damaged"]:
    """The error code of a failure of the log, for clients. The failure itself is logged."""
    _logger.error("%s", error)
    return "damaged" if isinstance(error, Corrupt) else "unkept"


@web.middleware
async def error_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Middleware: turn exceptions into error responses."""
    try:
        return await handler(request)
    except ConnectionError as error:
        error.__traceback__ = None  # the request keeps the error, which keeps the calls, which keep the request
        return status_response(request, 400)  # the client is gone
    except Exception as error:
        return error_response(request, error)


def error_response(request: web.Request, error: Exception) -> web.Response:
    """The response to a request whose handler raised: 422 breaks a rule, 409 not now, 429 and 503 too many requests,
    400 other errors of the client. 500 and the other 503 are errors of the server, which are logged.

    Raises: the error again if it is no error but a response, such as a redirection.
    """
    match error:
        case RulesError():
            says = LANGUAGES[language_of(request)].says
            return json_response(http_schema.Problem("rules", tuple(map(says, error.problems))), 422)
        case Banned():
            says = LANGUAGES[language_of(request)].says
            response = json_response(http_schema.Problem("banned", (says(error.args[0]),)), 403)
            response.set_cookie(MARK, error.id, path="/api", httponly=True, samesite="Strict", max_age=MARK_LASTS_S)
            return response
        case NoAccount():
            return json_response(http_schema.Problem("no_account", (str(error),)), 403)
        case Refusal():
            return json_response(http_schema.Problem(error.reason.value, (str(error),)), 409)
        case TooCostly():
            return json_response(http_schema.Problem("too_costly", (str(error),)), 422)
        case LimitExceeded():
            busy, seconds = isinstance(error, Overloaded), math.ceil(error.wait_s)
            body = http_schema.SlowDown("busy" if busy else "slow_down", (str(error),), seconds)
            response = json_response(body, 503 if busy else 429)
            response.headers["Retry-After"] = str(seconds)
            return response
        case ClusterError():
            _logger.warning("%s %s: %s", request.method, request.path, error)
            return error_response(request, Overloaded(TRY_AGAIN_S))
        case LogError():
            why = log_error_code(error)
            return json_response(http_schema.Problem(why, (_UNKEPT[why],)), 500 if why == "damaged" else 503)
        case ValueError():
            return json_response(http_schema.Problem("request", (str(error),)), 400)
        case web.HTTPException() if error.status >= 400:
            return status_response(request, error.status, error.headers.get("Allow"))
        case web.RequestPayloadError():
            return status_response(request, 400)
        case web.HTTPException():
            raise error
        case _:
            _logger.error("%s %s went wrong", request.method, request.path, exc_info=error)
            return status_response(request, 500)


def status_response(request: web.Request, status: int, allow: str | None = None) -> web.Response:
    """The response with the usual code and sentence of a status (`SENTENCES`). `allow` are the allowed methods."""
    code, sentence = SENTENCES.get(status, SENTENCES[400])
    response = problem_response(request, status, code, sentence)
    if allow:
        response.headers["Allow"] = allow
    return response


def problem_response(request: web.Request, status: int, code: str, sentence: str) -> web.Response:
    """An error response: JSON under `/api/`, plain text elsewhere."""
    if request.path.startswith("/api/"):
        return json_response(http_schema.Problem(code, (sentence,)), status)
    return web.Response(text=sentence, status=status, headers={"Cache-Control": "no-store"})


def misdirected_response(request: web.Request) -> web.Response:
    """The response to a request for another host name: it says how to configure that name."""
    host = request.headers.get("Host", "")[:80]
    sentence = (
        f"This server does not answer to the name {host!r}. Open it by its address. If this is its name, start it with "
        "--hosts NAME, or set hosts = ["
        '"NAME"] in its configuration.'
    )
    return problem_response(request, 421, "host", sentence)
