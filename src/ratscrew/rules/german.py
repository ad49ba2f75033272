"""German: how it says cards, numbers and times, and what is wrong with a house; its other words are in `german.txt`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from ratscrew.cards import RANKS
from ratscrew.rules.words import counted, listed

_RANKS = "Zwei,Drei,Vier,Fünf,Sechs,Sieben,Acht,Neun,Zehn,Bube,Dame,König,Ass,Joker"
_CALLED = dict(zip(RANKS, _RANKS.split(","), strict=True)) | {"JKR": "roter Joker", "JKB": "schwarzer Joker"}
_SUITS = {"C": "Kreuz", "D": "Karo", "H": "Herz", "S": "Pik"}


class German:
    """How German says cards, numbers and times."""

    def called(self, name: str) -> str:
        """`Zehn`, `Pik-Dame`: without an article, so that it stands in any case."""
        return _CALLED.get(name) or f"{_SUITS[name[1]]}-{_CALLED[name[0]]}"

    def challenge(self, name: str, chances: int) -> str:
        """`Dame (2 Versuche)`."""
        return f"{self.called(name)} ({counted(chances, 'Versuch', 'Versuche')})"

    def every(self, words: Sequence[str]) -> str:
        """`Bube, Dame und König`."""
        return listed(words, "und")

    def either(self, words: Sequence[str]) -> str:
        """`Bube, Dame oder König`."""
        return listed(words, "oder")

    def lasting(self, ms: int) -> str:
        """`30 Millisekunden`, `1,5 Sekunden`."""
        if ms < 100:
            return counted(ms, "Millisekunde", "Millisekunden")
        return counted(ms / 1000, "Sekunde", "Sekunden").replace(".", ",")

    def after_colon(self, sentence: str) -> str:
        """It stays as it is: every sentence here is a whole one."""
        return sentence


TONGUE = German()

TEXT = files(__package__).joinpath("german.txt").read_text(encoding="utf8")
"""The words of everything that can be chosen."""

SENTENCES: Mapping[str, str] = {
    "{name}: there is no such option; there are {known}": "{name}: Diese Einstellung gibt es nicht; es gibt {known}",
    "{choice} needs {other} = {values}": "{choice} braucht {other} = {values}",
    "max_players = 1: it can be 0 (no limit), or 2 and more": (
        "max_players = 1: erlaubt ist 0 (beliebig viele) oder 2 und mehr"
    ),
    "{option} = {value}: it can be {allowed}": "{option} = {value}: erlaubt ist {allowed}",
    "a whole number from {least} to {most}": "eine ganze Zahl von {least} bis {most}",
    "slaps.{name}: there is no such pattern; there are {known}": (
        "slaps.{name}: Dieses Muster gibt es nicht; es gibt {known}"
    ),
    "its parameters {names} by name": "mit Namen {names}",
    "{where}: {whose} has no such parameter; it has {has}": "{where}: Das gibt es bei {whose} nicht; es gibt {has}",
    "none": "nichts",
    "slaps.{name}: it needs {what}": "slaps.{name}: Es fehlt {what}",
    "{text!r}: rules in a text begin with '{version};' and a preset": (
        "„{text}“: Regeln in einem Text beginnen mit „{version};“ und einer Vorlage"
    ),
    "{part!r}: a choice is written option=value": "„{part}“: Eine Wahl schreibt man als name=wert",
    "{path}: there is no such choice in a text": "{path}: Diese Einstellung gibt es in einem Text nicht",
    "there is no preset {preset!r}; there are {known}": "Eine Vorlage „{preset}“ gibt es nicht; es gibt {known}",
    "A name needs 1 to {most} letters": "Ein Name hat 1 bis {most} Zeichen",
    "{most} players at most: an arena's tables have up to {seats}": "Höchstens {most} Personen: "
    "In einer Arena spielen bis zu {seats} an einem Tisch",
    "You can't play here any more. The reason: {reason}": "Du kannst hier nicht mehr spielen. Der Grund: {reason}",
    "You can't play here until {until}. The reason: {reason}": (
        "Du kannst hier bis {until} nicht spielen. Der Grund: {reason}"
    ),
    "You can have at most {most} friends: remove one first": (
        "Du kannst höchstens {most} Freunde haben: Entferne erst einen"
    ),
    "Too many players have added this one: ask them to add you": (
        "Zu viele haben diese Person hinzugefügt: Bitte sie, dich hinzuzufügen"
    ),
    "Too many players are called {name}: choose another name": "Zu viele heißen {name}: Nimm einen anderen Namen",
    "You can have at most {most} passkeys: remove them first": (
        "Du kannst höchstens {most} Passkeys haben: Entferne sie erst"
    ),
    "This took more than five minutes: try again": "Das hat über fünf Minuten gedauert: Versuch es noch einmal",
    "You can block {most} players at most": "Du kannst höchstens {most} Personen blockieren",
    "This name isn't allowed here: choose another one": "Dieser Name geht hier nicht: Nimm einen anderen",
    "A name needs a letter, a digit or a picture": "Ein Name hat einen Buchstaben, eine Ziffer oder ein Bild",
    "In the name, leave out the character that turns the text around ({sign})": (
        "Lass im Namen das Zeichen weg, das die Schrift umkehrt ({sign})"
    ),
    "In the name, leave out the control character ({sign})": "Lass im Namen das Steuerzeichen weg ({sign})",
    "In the name, leave out the character that some devices cannot show ({sign})": (
        "Lass im Namen das Zeichen weg, das manche Geräte nicht anzeigen können ({sign})"
    ),
    "In the name, leave out the invisible character ({sign})": "Lass im Namen das unsichtbare Zeichen weg ({sign})",
    "In the name, leave out some of the marks on one letter": (
        "Lass im Namen ein paar der Zeichen auf einem Buchstaben weg"
    ),
    "In the name, leave out the mark that does not belong to its letter ({sign})": (
        "Lass im Namen das Zeichen weg, das nicht zu seinem Buchstaben gehört ({sign})"
    ),
    "Number of bots: at most {most} with these rules, not {value}": (
        "Anzahl der Bots: höchstens {most} nach diesen Regeln, nicht {value}"
    ),
    "Number of bots: at least {least}, not {value}": "Anzahl der Bots: mindestens {least}, nicht {value}",
    "{name} = {value!r}: it can be {least} to {most}": "{name} = {value}: erlaubt ist {least} bis {most}",
    "this server is full: try again later": "Dieser Server ist voll: Versuch es später noch einmal",
}
"""What is said of a house that cannot be played, and of a room or a seat that cannot be had, by the English pattern."""
