"""The address of a PostgreSQL database shows its hosts and its name, and never a password."""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import EXAMPLE, PostgresAddress


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql://me:secret@db.example.org:5433/games", "postgresql://db.example.org:5433/games"),
        ("postgres://db.example.org/games", "postgresql://db.example.org/games"),
        ("postgresql://me:s%40cret@a:1,b:2/games?target_session_attrs=read-write", "postgresql://a:1,b:2/games"),
        ("postgresql://[::1]:5432/games", "postgresql://[::1]:5432/games"),
        ("postgresql:///games?host=/run/postgresql&port=5433", "postgresql:///games?host=/run/postgresql&port=5433"),
        ("postgresql:///?dbname=games&password=secret&user=me", "postgresql:///games"),
        ("postgresql://me:secret@localhost", "postgresql://localhost/"),
        ("postgresql:///my%20games", "postgresql:///my%20games"),
    ],
)
def test_an_address_is_shown_without_user_and_password(url: str, text: str) -> None:
    address = PostgresAddress(url)
    assert (str(address), repr(address), address.url) == (text, f"PostgresAddress({text!r})", url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:sec@ret@host/games",
        "postgresql://me:sec/ret@host/games",
        "postgresql://me:sec?ret@host/games",
        "postgresql://me:sec#ret@host/games",
        "postgresql://me:1/secret@host/games",
        "postgresql://me:1?secret@host/games",
        "postgresql://host:secret/games",
        "postgresql://me:secret@[::1/games",
        "games.sqlite3",
        "/var/lib/ratscrew/secret",
        "mysql://me:secret@host/games",
        "postgresql:secret",
        "postgresql://me:sec%ret@host/games",
        "postgresql://me:secret%00@host/games",
        "postgresql://host/games?password=secret%",
        "postgresql://me:sec\udcffret@host/games",
        "postgresql://me:sec\0ret@host/games",
        "postgresql://me:sec\nret@host/games",
        "",
    ],
)
def test_anything_else_is_refused_with_the_form_of_an_address_and_without_what_was_given(url: str) -> None:
    with pytest.raises(LogError, match=re.escape(EXAMPLE)) as caught:
        PostgresAddress(url)
    said = str(caught.value).replace(EXAMPLE, "").replace("ratscrew", "")
    assert not re.search(r"secret|\bsec\b|\bret\b", said)


@given(*[st.text(st.characters(codec="utf-8", exclude_characters="\0"))] * 3)
def test_no_user_and_no_password_is_ever_shown(user: str, password: str, name: str) -> None:
    secret = quote(password, safe="")
    address = PostgresAddress(f"postgresql://{quote(user, safe='')}:{secret}@host:5432/{quote(name, safe='')}")
    assert str(address) == f"postgresql://host:5432/{quote(name, safe='')}"


@given(st.text() | st.text("postgresql:/@?#[]%,&=a1").map("postgresql://{}".format))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    with suppress(LogError):
        assert PostgresAddress(text).url == text
