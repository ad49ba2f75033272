"""JSON responses, and error responses: a code, and a sentence for each problem."""

from __future__ import annotations

import logging
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.errors import (
    Banned,
    ClusterError,
    Corrupt,
    InputError,
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
from ratscrew.rules.words import Sentence, say
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.web.schema import problems

TRY_AGAIN_S = 1.0
"""When a request is to be tried again that this node of a cluster cannot answer now."""

LANGUAGE_MOST = 200
"""How much of `Accept-Language` is read: browsers send some forty characters."""

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
    """Middleware: turn exceptions into error responses, and translate those."""
    try:
        response = await handler(request)
        if isinstance(response, ProblemResponse):
            response.translate(language_of(request))
        return response
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
    language = language_of(request)
    match error:
        case RulesError():
            return json_response(problems.broken_rules(language, error), 422)
        case Banned():
            return json_response(problems.refusal(language, error), 403)
        case NoAccount():
            return json_response(problems.no_account(language, error), 403)
        case Refusal():
            return json_response(problems.refusal(language, error), 409)
        case TooCostly():
            return json_response(problems.too_costly(language, error), 422)
        case LimitExceeded():
            body = problems.slow_down(language, error)
            response = json_response(body, 503 if isinstance(error, Overloaded) else 429)
            response.headers["Retry-After"] = str(body.wait_s)
            return response
        case ClusterError():
            _logger.warning("%s %s: %s", request.method, request.path, error)
            return error_response(request, Overloaded(TRY_AGAIN_S))
        case LogError():
            why = log_error_code(error)
            found = problems.problem(language, why, problems.LOG_FAILURES[why])
            return json_response(found, 500 if why == "damaged" else 503)
        case InputError():
            return json_response(problems.invalid_input(language, error), 400)
        case ValueError():
            return status_response(request, 400)
        case web.HTTPException() if error.status >= 400:
            return status_response(request, error.status, error.headers.get("Allow"))
        case web.RequestPayloadError():
            return status_response(request, 400)
        case web.HTTPException():
            raise error
        case _:
            _logger.error("%s %s went wrong", request.method, request.path, exc_info=error)
            return status_response(request, 500)


class ProblemResponse(web.Response):
    """An error that a handler returns: `error_middleware` sends it in the language of the request."""

    def __init__(self, status: int, code: str, *sentences: Sentence) -> None:
        super().__init__(status=status, content_type="application/json", headers={"Cache-Control": "no-store"})
        self._code, self._sentences = code, sentences
        self.translate("en")

    def translate(self, language: str) -> None:
        """Write the sentences in a language."""
        self.body = _RESPONSE.encode(problems.problem(language, self._code, *self._sentences))


def status_response(request: web.Request, status: int, allow: str | None = None) -> web.Response:
    """The response with the usual code and sentence of a status (`SENTENCES`). `allow` are the allowed methods."""
    code, sentence = problems.SENTENCES.get(status, problems.SENTENCES[400])
    response = problem_response(request, status, code, sentence)
    if allow:
        response.headers["Allow"] = allow
    return response


def problem_response(request: web.Request, status: int, code: str, sentence: Sentence) -> web.Response:
    """An error response: JSON under `/api/`, plain text elsewhere."""
    if request.path.startswith("/api/"):
        return json_response(problems.problem(language_of(request), code, sentence), status)
    text = LANGUAGES[language_of(request)].says(sentence)
    return web.Response(text=text, status=status, headers={"Cache-Control": "no-store"})


def misdirected_response(request: web.Request) -> web.Response:
    """The response to a request for another host name: it says how to configure that name."""
    host = request.headers.get("Host", "")[:80]
    sentence = say(
        "This server does not answer to the name {host!r}. Open it by its address. If this is its name, start it with "
        '--hosts NAME, or set hosts = ["NAME"] in its configuration.',
        host=host,
    )
    return problem_response(request, 421, "host", sentence)


class ElsewhereResponse(web.Response):
    """The answer of a node that does not have the room: `Forwarder` has the other one answer instead. Never sent."""

    def __init__(self, place: Elsewhere) -> None:
        super().__init__(status=503)
        self.place = place
