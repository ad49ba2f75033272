"""Answers to requests, and to those that cannot be met: a code, and each problem in a sentence."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import Corrupt, LogError, Overloaded, Refusal, RulesError, TooCostly, TooMuch
from ratscrew.game.codec import Codec
from ratscrew.rules.languages import LANGUAGES
from ratscrew.web import http_schema

BODY_MOST = 4096
"""Bytes of the longest body of a request."""

LANGUAGE_MOST = 200
"""Characters of `Accept-Language` that are looked at: browsers send some forty."""

SENTENCES: Mapping[int, tuple[str, str]] = {
    400: ("request", "This is no request that is understood here."),
    403: ("elsewhere", "This is answered to our own pages only."),
    404: ("nowhere", "There is no such page here."),
    405: ("method", "This cannot be asked of this address in this way."),
    408: ("slow", "The request took too long to arrive: try again."),
    413: ("too_large", f"The body of a request may have {BODY_MOST} bytes."),
    414: ("too_long", "The address of this request is too long, or has too many parts."),
    415: ("packed", "Send the body of a request as it is, without Content-Encoding."),
    500: ("fault", "Something went wrong here, and is noted: try again."),
}
"""What is said where a request does not even reach anybody: a code and a sentence."""

_UNKEPT = {
    "unkept": "the game cannot be kept at the moment; nothing that you saw is lost: try again",
    "damaged": "the record of this game is damaged and cannot be read",
}

_ANSWER = Codec[Any](Any)
_journal = logging.getLogger(__name__)


def json_response(value: Any, status: int = 200) -> web.Response:
    """A value as JSON, for this client and this moment only: no cache keeps it."""
    body = _ANSWER.encode(value)
    return web.Response(
        body=body, content_type="application/json", status=status, headers={"Cache-Control": "no-store"}
    )


def language_of(request: web.Request) -> str:
    """The code of the language in which to answer: that of `lang`, else the first that the browser asks for."""
    accepted = request.headers.get("Accept-Language", "")[:LANGUAGE_MOST].split(",")
    wanted = [request.query.get("lang", "")[:LANGUAGE_MOST], *accepted]
    codes = [text.strip().lower().partition(";")[0].partition("-")[0] for text in wanted]
    return next((code for code in codes if code in LANGUAGES), "en")


def log_error_code(error: LogError) -> Literal["unkept", "damaged"]:
    """The code of what is wrong with a log, for people; the journal has it in full."""
    _journal.error("%s", error)
    return "damaged" if isinstance(error, Corrupt) else "unkept"


@web.middleware
async def error_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Middleware: an error becomes an answer that says what was wrong (`problem_response`)."""
    try:
        return await handler(request)
    except ConnectionError as error:
        error.__traceback__ = None  # the request keeps the error, which keeps the calls, which keep the request
        return status_response(request, 400)  # nobody reads it
    except Exception as error:
        return error_response(request, error)


def error_response(request: web.Request, error: Exception) -> web.Response:
    """The answer to a request that ended in an error: 422 it breaks a rule, 409 not now, 429 and 503 too much, 400 the
    rest. 500 and the other 503 are our own; the journal has them in full.

    Raises: the error again if it is none to answer but an answer itself, such as a redirection.
    """
    match error:
        case RulesError():
            says = LANGUAGES[language_of(request)].says
            return json_response(http_schema.Problem("rules", tuple(map(says, error.problems))), 422)
        case Refusal():
            return json_response(http_schema.Problem(error.why.value, (str(error),)), 409)
        case TooCostly():
            return json_response(http_schema.Problem("too_costly", (str(error),)), 422)
        case TooMuch():
            busy, seconds = isinstance(error, Overloaded), math.ceil(error.wait_s)
            body = http_schema.SlowDown("busy" if busy else "slow_down", (str(error),), seconds)
            response = json_response(body, 503 if busy else 429)
            response.headers["Retry-After"] = str(seconds)
            return response
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
            _journal.error("%s %s went wrong", request.method, request.path, exc_info=error)
            return status_response(request, 500)


def status_response(request: web.Request, status: int, allow: str | None = None) -> web.Response:
    """The answer where nobody is there to give one."""
    code, sentence = SENTENCES.get(status, SENTENCES[400])
    response = problem_response(request, status, code, sentence)
    if allow:
        response.headers["Allow"] = allow
    return response


def problem_response(request: web.Request, status: int, code: str, sentence: str) -> web.Response:
    """One sentence: as data to a client that asks for data, else as text."""
    if request.path.startswith("/api/"):
        return json_response(http_schema.Problem(code, (sentence,)), status)
    return web.Response(text=sentence, status=status, headers={"Cache-Control": "no-store"})


def misdirected_response(request: web.Request) -> web.Response:
    """The answer to a request for a host name that is none of this server's: what to set if it should be."""
    host = request.headers.get("Host", "")[:80]
    sentence = (
        f"This server does not answer to the name {host!r}. Open it by its address. If this is its name, start it with "
        "--hosts NAME, or set hosts = ["
        '"NAME"] in its configuration.'
    )
    return problem_response(request, 421, "host", sentence)
