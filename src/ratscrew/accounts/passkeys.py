"""Passkeys: a way back into an account whose devices are lost. fido2 checks what authenticators sign.

A challenge is signed by the server and stored nowhere. One that was answered is stored until it is over, so that it is
answered once, at whichever server. Times are arguments.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from itsdangerous import BadSignature
from msgspec import Struct

from ratscrew.accounts.device_keys import is_id, signer
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import RulesError
from ratscrew.game.bounds import Base64Text
from ratscrew.game.codec import Codec
from ratscrew.rules.words import say

if TYPE_CHECKING:  # fido2 is loaded when the first passkey is used
    from fido2.server import Fido2Server

T = TypeVar("T")

PASSKEYS_MOST = 10
"""How many passkeys an account has at most."""

LASTS_US = 300_000_000
"""How long a challenge can be answered."""


class RelyingParty(NamedTuple):
    """This server as WebAuthn knows it: the host name to which passkeys belong, and the origin of its pages."""

    id: str
    origin: str


class PasskeyRegistration(Struct, frozen=True):
    """A new passkey, as its authenticator registers it (WebAuthn, section 5.2.1), each part as base64url."""

    id: Base64Text
    client_data: Base64Text
    attestation: Base64Text


class PasskeyAssertion(Struct, frozen=True):
    """An authenticator's proof that it has a passkey (WebAuthn, section 5.2.2), each part as base64url.

    `user` is the account that the authenticator has stored with the passkey.
    """

    id: Base64Text
    user: Base64Text
    client_data: Base64Text
    authenticator_data: Base64Text
    signature: Base64Text


class _Stored(Struct, frozen=True):
    """A passkey as it is stored: fido2's form of the public key, as base64url. Unit: `since_us` since 1970."""

    key: str
    since_us: int


_STORED = Codec[_Stored](_Stored)


class Passkeys:
    """The passkeys of the accounts in a store. Every method but the two that make challenges waits for it.

    Raises: LogError if the secret cannot be read or made.
    """

    def __init__(self, values: Values) -> None:
        self._values, self._signer = values, signer(values, b"passkey")

    def challenge(self, account_id: str, now_us: int) -> str:
        """A challenge for a new passkey of an account; without one, for a passkey of any account."""
        return self._signer.sign(f"{account_id}.{now_us + LASTS_US}.{secrets.token_urlsafe(16)}").decode()

    def ids(self, account_id: str) -> tuple[str, ...]:
        """The ids of an account's passkeys, as base64url."""
        prefix = _prefix(account_id)
        return tuple(name[len(prefix) : -1] for name in self._values.get(prefix))

    def register(self, party: RelyingParty, account_id: str, made: PasskeyRegistration, now_us: int) -> None:
        """Store a new passkey of an account.

        Raises:
            RulesError: it is not valid, or the account has too many; says why.
            LogError.
        """
        challenge = self._challenge_in(made.client_data, account_id, now_us)
        response = {"clientDataJSON": made.client_data, "attestationObject": made.attestation}
        checked = _checked(lambda: _server(party).register_complete(_state(challenge), _credential(made.id, response)))
        if checked.credential_data is None:
            raise RulesError([say("the registration has no passkey")])
        if len(self.ids(account_id)) >= PASSKEYS_MOST:
            raise RulesError([say("You can have at most {most} passkeys: remove them first", most=PASSKEYS_MOST)])
        self._use_up(challenge, now_us)
        key = _text(bytes(checked.credential_data))
        name = _name(account_id, _text(checked.credential_data.credential_id))
        self._values.put(name, _STORED.encode(_Stored(key, now_us)))

    def authenticate(self, party: RelyingParty, used: PasskeyAssertion, now_us: int) -> str:
        """The id of the account whose passkey this is.

        Raises:
            RulesError: it is no passkey of an account here, or not valid; says why.
            LogError.
        """
        from fido2.webauthn import AttestedCredentialData

        challenge = self._challenge_in(used.client_data, "", now_us)
        account_id = _checked(lambda: _bytes(used.user).decode("ascii"))
        stored = self._values.get(_prefix(account_id)).get(_name(account_id, used.id)) if is_id(account_id) else None
        if stored is None:
            raise RulesError(
                [say("this passkey is of no account here: the account was deleted, or the passkey removed")]
            )
        key = _bytes(_STORED.decode(stored).key)
        response = {
            "clientDataJSON": used.client_data,
            "authenticatorData": used.authenticator_data,
            "signature": used.signature,
        }
        _checked(
            lambda: _server(party).authenticate_complete(
                _state(challenge), [AttestedCredentialData(key)], _credential(used.id, response)
            )
        )
        self._use_up(challenge, now_us)
        return account_id

    def remove(self, account_id: str) -> None:
        """Remove all passkeys of an account.

        Raises: LogError.
        """
        self._values.delete_prefix(_prefix(account_id))

    def _challenge_in(self, client_data: str, account_id: str, now_us: int) -> str:
        """The challenge that was answered: one of this server's, for this account, and not over."""
        from fido2.webauthn import CollectedClientData

        challenge = _checked(lambda: CollectedClientData(_bytes(client_data)).challenge.decode("ascii"))
        try:
            account, until_us, _ = self._signer.unsign(challenge).decode().split(".")
        except BadSignature:
            raise RulesError([say("the challenge is none of this server's")]) from None
        if account != account_id or int(until_us) <= now_us:
            raise RulesError([say("This took more than five minutes: try again")])
        return challenge

    def _use_up(self, challenge: str, now_us: int) -> None:
        """Let a challenge be answered only once, at all servers."""
        used = f"{PREFIX}passkey-used/"
        for name, until_us in self._values.get(used).items():
            if int(until_us.split()[0]) <= now_us:
                self._values.delete_prefix(name)
        mine = f"{now_us + LASTS_US} {secrets.token_hex(8)}".encode()
        name = f"{used}{hashlib.sha256(challenge.encode()).hexdigest()}/"
        if self._values.get_or_create(name, lambda: mine) != mine:
            raise RulesError([say("this challenge was used already: begin again")])


def algorithms() -> tuple[int, ...]:
    """The signature algorithms that can be checked, by their numbers in COSE, the preferred ones first."""
    from fido2.cose import CoseKey

    return tuple(CoseKey.supported_algorithms())


def _prefix(account_id: str) -> str:
    return f"{PREFIX}passkey-of/{account_id}/"


def _name(account_id: str, id: str) -> str:
    return f"{_prefix(account_id)}{id}/"


def _server(party: RelyingParty) -> Fido2Server:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    return Fido2Server(
        PublicKeyCredentialRpEntity(name="Ratscrew", id=party.id), verify_origin=lambda origin: origin == party.origin
    )


def _state(challenge: str) -> dict[str, Any]:
    return {"challenge": _text(challenge.encode()), "user_verification": None}


def _credential(id: str, response: dict[str, str]) -> dict[str, Any]:
    return {"id": id, "rawId": id, "type": "public-key", "response": response}


def _checked(check: Callable[[], T]) -> T:
    """The result of a check of what a stranger sent, by a library that does not say what it raises.

    Raises: RulesError.
    """
    try:
        return check()
    except Exception as error:
        raise RulesError([say("That passkey didn't work: try again, or use another one")]) from error


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
