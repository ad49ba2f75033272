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
    "{option}: {name} is not a card: write a rank (2 to 10, J, Q, K, A), a card such as QS, or JK, JKR, JKB": (
        "{option}: {name} ist keine Karte: Schreib einen Rang (2 bis 10, J, Q, K, A), eine Karte wie QS,"
        " oder JK, JKR, JKB"
    ),
    "{option} = {value}: it can be {allowed}": "{option} = {value}: erlaubt ist {allowed}",
    "{option}: at most {most} cards": "{option}: höchstens {most} Karten",
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
    "Something in this request isn't right: reload the page and try again": (
        "An dieser Anfrage stimmt etwas nicht: Lade die Seite neu und versuch es noch einmal"
    ),
    "This name is reserved: choose another one": "Dieser Name ist vergeben: Nimm einen anderen",
    "In the name, leave out the letter of another script ({sign})": (
        "Lass im Namen den Buchstaben einer anderen Schrift weg ({sign})"
    ),
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
    "A header of the request is too long.": "Ein Header der Anfrage ist zu lang.",
    "A player joined the running game before that moment: choose an earlier one": (
        "Davor kam schon jemand ins laufende Spiel dazu: Nimm eine frühere Stelle"
    ),
    "Idempotency-Key: this key was used for another request; draw a new one": (
        "Idempotency-Key: Dieser Schlüssel gehört schon zu einer anderen Anfrage; zieh einen neuen"
    ),
    "Nothing can be slapped with these rules, so there is nothing to practise": (
        "Mit diesen Regeln gibt es nichts zu klatschen, also auch nichts zu üben"
    ),
    "Only pages of this server may send this request.": "Das dürfen nur Seiten dieses Servers anfragen.",
    "Passkeys need a name in this server's address, such as localhost, and not a number": (
        "Passkeys brauchen einen Namen in der Adresse des Servers, etwa localhost, keine Nummer"
    ),
    "Send the body without Content-Encoding.": "Schick den Inhalt ohne Content-Encoding.",
    "Somebody here has that name already, or one that looks like it": (
        "Hier heißt schon jemand so, oder so ähnlich geschrieben"
    ),
    "Something went wrong on the server, and was logged. Try again.": (
        "Auf dem Server ist etwas schiefgegangen; es steht im Protokoll. Versuch es noch einmal."
    ),
    "That isn't possible right now": "Das geht gerade nicht",
    "That passkey didn't work: try again, or use another one": (
        "Dieser Passkey hat nicht funktioniert: Versuch es noch einmal, oder nimm einen anderen"
    ),
    "The address of the request is too long, or has too many parameters.": (
        "Die Adresse der Anfrage ist zu lang oder hat zu viele Parameter."
    ),
    "The body of a request may have at most {most} bytes.": "Der Inhalt einer Anfrage hat höchstens {most} Bytes.",
    "The cards aren't dealt yet at that moment: choose a later one": (
        "Da sind die Karten noch nicht ausgeteilt: Nimm eine spätere Stelle"
    ),
    "The game is over at that moment: choose an earlier one": (
        "Da ist das Spiel schon vorbei: Nimm eine frühere Stelle"
    ),
    "The request cannot be understood.": "Die Anfrage ist nicht zu verstehen.",
    "The request took too long to arrive. Try again.": ("Die Anfrage war zu lange unterwegs. Versuch es noch einmal."),
    "There are enough arenas now: join one of them": "Es gibt schon genug Arenen: Mach bei einer mit",
    "There is no other player at this seat": "An diesem Platz sitzt sonst niemand",
    "There is no such bot: choose another opponent": "Diesen Bot gibt es nicht: Nimm einen anderen Gegner",
    "There is no such page.": "Diese Seite gibt es nicht.",
    "There is no such player": "Diese Person gibt es hier nicht",
    "There is no such season, or these rules aren't rated": (
        "Diese Saison gibt es nicht, oder diese Regeln werden nicht gewertet"
    ),
    "This address does not take requests of this method.": "Diese Adresse nimmt solche Anfragen nicht an.",
    "This arena has {most} players already": "In dieser Arena sind schon {most} Personen",
    "This arena is over": "Diese Arena ist vorbei",
    "This browser has no account here": "Dieser Browser hat hier kein Konto",
    "This browser plays in this arena already": "Dieser Browser spielt schon in dieser Arena mit",
    "This game can't be saved as text: another version of Ratscrew decided it": (
        "Dieses Spiel lässt sich nicht als Text speichern: Eine andere Version von Ratscrew hat es entschieden"
    ),
    "This game has no such seat: choose one of its players": (
        "Diesen Platz gibt es in dem Spiel nicht: Nimm einen, an dem jemand saß"
    ),
    "This game has {most} events: choose one of them": "Dieses Spiel hat {most} Ereignisse: Nimm eines davon",
    "This pass was used, or is over: the other device shows a new one": (
        "Dieser Link ist benutzt oder abgelaufen: Das andere Gerät zeigt einen neuen"
    ),
    "This server does not answer to the name {host!r}. Open it by its address. If this is its name, start it with "
    '--hosts NAME, or set hosts = ["NAME"] in its configuration.': (
        "Dieser Server hört nicht auf den Namen {host}. Öffne ihn über seine Adresse. Ist das sein Name, dann starte "
        "ihn mit --hosts NAME, oder trag NAME in seiner Konfiguration bei hosts ein."
    ),
    "This table has been changed too often: open a new one": (
        "An diesem Tisch wurde zu oft etwas geändert: Macht einen neuen auf"
    ),
    "This table is closed": "Dieser Tisch ist geschlossen",
    "This takes the server too long to work out: choose something simpler": (
        "Das auszurechnen dauert zu lange: Nimm etwas Einfacheres"
    ),
    "Too few players are here": "Es sind zu wenige da",
    "You can play on from one of the first {most} events of a game: choose an earlier one": (
        "Weiterspielen geht ab einem der ersten {most} Ereignisse: Nimm eine frühere Stelle"
    ),
    "Your device's date, {day}, isn't today's: set its clock to play today's deal": (
        "Auf deinem Gerät ist der {day}, das ist nicht heute: Stell seine Uhr, um das Spiel des Tages zu spielen"
    ),
    "many players of your network have joined: let them play first": (
        "Aus deinem Netz sind schon viele dabei: Lasst sie erst spielen"
    ),
    "every seat of this room is taken": "An diesem Tisch ist kein Platz mehr frei",
    "the challenge is none of this server's": "Diese Anfrage für einen Passkey kam nicht von diesem Server",
    "the game cannot be saved at the moment; nothing that you saw is lost: try again": (
        "Das Spiel lässt sich gerade nicht speichern; nichts, was du gesehen hast, ist verloren: Versuch es noch einmal"
    ),
    "the host has locked this table: no new players can join now": (
        "Der Gastgeber hat diesen Tisch abgeschlossen: Gerade kann niemand Neues dazukommen"
    ),
    "the host removed you from this table": "Du wurdest von diesem Tisch entfernt",
    "the record of this game is damaged and cannot be read": "Die Daten dieses Spiels sind beschädigt und nicht lesbar",
    "the registration has no passkey": "Da kam kein Passkey an",
    "the server has no space for another table now: try again in {seconds} s": (
        "Auf dem Server ist gerade kein Platz für einen Tisch: Versuch es in {seconds} s noch einmal"
    ),
    "the server is busy: try again in {seconds} s": (
        "Der Server ist gerade ausgelastet: Versuch es in {seconds} s noch einmal"
    ),
    "there is no game {game!r} here": "Ein Spiel „{game}“ gibt es hier nicht",
    "there is no room with this code": "Einen Tisch mit diesem Code gibt es nicht",
    "this browser holds no such seat in this room": "Dieser Browser hat an diesem Tisch keinen solchen Platz",
    "this challenge was used already: begin again": "Das wurde schon benutzt: Fang noch einmal an",
    "this game is not over yet": "Dieses Spiel ist noch nicht vorbei",
    "this passkey is of no account here: the account was deleted, or the passkey removed": (
        "Zu diesem Passkey gibt es hier kein Konto: Es wurde gelöscht, oder der Passkey entfernt"
    ),
    "too many requests: try again in {seconds} s": "Zu viele Anfragen: Versuch es in {seconds} s noch einmal",
    "you have already reported this player in this game": "Du hast diese Person in diesem Spiel schon gemeldet",
    "a list of cards, such as {example}": "eine Liste von Karten, etwa {example}",
    "{least} to {most} tries for a card, such as {example}": (
        "{least} bis {most} Versuche für eine Karte, etwa {example}"
    ),
    "choices by their names, such as {example}": "Einstellungen mit Namen, etwa {example}",
    "{seats} players: these rules are for 2 to {most}": "{seats} Personen: Diese Regeln sind für 2 bis {most}",
    "{seats} players: these rules have only {cards} cards for them (decks)": (
        "{seats} Personen: Diese Regeln haben nur {cards} Karten dafür (decks)"
    ),
    "{tables} tables of your network are open: leave one of them first": (
        "In deinem Netz sind {tables} Tische offen: Verlass erst einen davon"
    ),
}
"""What players read of a house that cannot be played, and of requests that fail, by the English pattern."""
