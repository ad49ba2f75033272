"""The options of a house in plain words, and what one choice needs of another. Nothing in this file plays a rule.

The sheet and every form in which a house is chosen are made from here; a pattern and a penalty bring their own words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ratscrew.rules.house import Rules
from ratscrew.rules.words import Words, read_words

_TEXT = """
[cards]
decks: Packs. How many are shuffled together.
decks = 1: We play with one pack of cards.
decks = auto: We play with one pack for every six players.
decks = {}: We play with {} packs, shuffled together.
pack: Kind of pack. Whether the small cards are in it.
pack = standard: (A pack has all 52 cards.)
pack = pinochle: A pack has nine to ace only, each card twice.
jokers: Jokers. How many go into each pack.
jokers = 0: (There are no jokers.)
jokers = 1: One joker goes into each pack.
jokers = {}: {} jokers go into each pack.
deal: Dealing. How everybody gets his cards.
deal = one_by_one: The cards are dealt one at a time, face down; nobody looks at his own.
deal = stacks: The deck is cut into stacks of about one size, one for each player; nobody looks at his own.
remainder: Cards left over. What happens when the deck cannot be dealt evenly.
remainder = extras: (Some players may get one card more.)
remainder = jokers: Jokers are added until the deal comes out even.
remainder = pile: Cards that are left over start the pile.
shuffle: Shuffling. How the deck is mixed.
shuffle = uniform: (Every order of the deck is as likely as any other.)
shuffle = riffle7: The deck is riffled seven times.
direction: Direction. Which way play goes round.
direction = cw: Play goes clockwise, and the player next to the dealer begins.
direction = ccw: Play goes anticlockwise, and the player next to the dealer begins.
max_players: Players. How many may play at most.
max_players = 0: (Any number may play.)
max_players = {}: At most {} may play.
pickup: Won cards. What happens to a pile that you take.
pickup = keep: A pile goes under your hand as it lies, so that its first card comes up first.
pickup = shuffle: A pile is shuffled before it goes under your hand.

[challenges]
chances: Challenges. Which cards must be answered, and within how many cards.
chances = -: No card is a challenge.
chances = {}: The next player must beat {} with such a card of his own, or the challenger takes the pile.
stoppers: Stoppers. Answers that end a challenge, so that play just goes on.
stoppers = -: (No card stops a challenge.)
stoppers = {}: A challenge is off when it is answered with {}.
run_out: Running out. What happens if you run out of cards while you answer.
run_out = next_continues: If you run out of cards while you answer, the next player goes on with the chances left.
run_out = challenger_takes: If you run out of cards while you answer, the challenger takes the pile.
collect: Taking the pile. Who puts it under the winner's hand.
collect = auto: (A pile that is won goes to its winner by itself.)
collect = manual: Whoever has won a pile picks it up himself.
slap_window: Slaps and challenges. When the pile may be slapped.
slap_window = always: The pile may be slapped at any time, in the middle of a challenge too.
slap_window = not_after_fail: Once a challenge has failed, the pile may not be slapped any more.
slap_window = not_during_challenge: While a challenge runs, and when it has failed, the pile may not be slapped.
final_card_slap: The last card of a challenge. What a wrong slap at it costs.
final_card_slap = normal: (A wrong slap after a failed challenge costs what any other does.)
final_card_slap = free: A wrong slap after a failed challenge costs nothing.

[slaps]
slaps: Slaps. What lies on top when the pile may be slapped.
slaps = off: The pile is never slapped.
slaps.wild: Wild cards. Cards that may stand for any other in a slap.
slaps.wild = off: (No card is wild.)
slaps.wild = {}: Wild cards: {} may stand for any other card in a slap.
dead_pattern: Burned and dead cards. Whether a slap looks past them.
dead_pattern = block: (No slap looks past a burned or dead card.)
dead_pattern = skip: Slaps look past burned and dead cards, as if they were not there.
judge: Judge. Who says whether a slap is good.
judge = auto: (The table itself knows whether a slap is good.)
judge = honour: Slaps and pickups are on your honour; who contests one pays a card if it was right, else is paid one.
tie: Several hands. Who takes the pile when hands come down together.
tie = earliest: The first hand on the pile takes it, and its player leads.
tie = contact: When hands come down together, most fingers on the pile win, then the earliest.
tie = void: When hands come down together, nobody takes the pile, and play goes on as if there had been nothing.
tie = judge: When hands come down together, the judge of the table says whose it is.
tie_window_ms: Together. How close in time hands count as together.
tie_window_ms = 0: (Only hands of the very same moment are together.)
tie_window_ms = {}: Hands within {s} of each other come down together.

[wrong slaps]
wrong_slap: A wrong slap. What it costs whoever has cards.
no_cards: A wrong slap without cards. What it costs whoever has none.
max_streak: Wrong slaps in a row. On how many cards in a row you may slap wrongly.
max_streak = 0: (However many slaps in a row are wrong, you stay in the game.)
max_streak = 1: Whoever slaps wrongly on two cards in a row is out of the game.
max_streak = {}: Whoever slaps wrongly on more than {} cards in a row is out of the game.
burn_face_up: Burned cards. Which way up they lie.
burn_face_up = true: (Burned cards lie face up.)
burn_face_up = false: Burned cards lie face down.

[running out]
slap_in: Slapping in. Whether you may come back without cards.
slap_in = no: Without cards you are out of the game.
slap_in = while_two_active: Without cards you can slap your way back in, while two players have cards.
slap_in = always: Without cards you can slap your way back in.
late_join: Coming late. Whether somebody may join a game that has begun.
late_join = no: (Nobody joins a game that has begun.)
late_join = slap_in: Whoever comes late joins with a good slap.
join_seat: A seat for who comes late. Where he sits.
join_seat = end: (Whoever joins sits down at the end of the circle.)
join_seat = choose: Whoever joins chooses where to sit.
endgame: The last with cards. What happens when one player alone has cards.
endgame = play_out: Whoever alone has cards plays on, until a challenge, a slap or his last card brings him the pile.
endgame = sole_holder: Whoever alone has cards takes the pile at once.
endgame = must_play: Whoever has no card when he must play has lost the pile.
last_chance: Last chance. How many more cards must be turned by whoever has won them all.
last_chance = 0: (Whoever has every card has won.)
last_chance = 1: Whoever wins every card with a challenge turns one more; a good slap at it keeps the game going.
last_chance = {}: Whoever wins every card with a challenge turns {} more; a good slap at them keeps the game going.
last_chance_who: Whose last chance. Who may slap then.
last_chance_who = opponent: Only the player who lost the challenge may slap then.
last_chance_who = anyone: Everybody may slap then.
stalemate: Nobody has cards. What happens when all cards are on the table.
stalemate = last_player: If nobody has a card left, whoever turned the last one takes the pile.
stalemate = draw: If nobody has a card left, the game is a draw.
stalemate = redeal: If nobody has a card left, all cards are dealt anew.

[table manners]
out_of_turn: Out of turn. What becomes of a card that is played too early.
out_of_turn = reject: (Nobody can play out of turn.)
out_of_turn = dead: A card played out of turn is dead: no slap may use it.
out_of_turn = aside: A card shown too early lies aside, face up, until its turn comes.
dead_place: Dead cards. Where they go.
dead_place = bottom: Dead cards go under the pile.
dead_place = top: Dead cards stay on top of the pile, where they fell.
out_of_turn_burn: Fine. How many cards are burned for playing out of turn.
out_of_turn_burn = 0: (Playing out of turn costs no other card.)
out_of_turn_burn = 1: Whoever plays out of turn burns another card.
out_of_turn_burn = {}: Whoever plays out of turn burns {} more cards.
cheat: Cheating. Whether you may take a pile that is not yours.
cheat = off: (Nobody can take a pile that is not his.)
cheat = split: A stolen pile goes back if that is noticed at once, half the thief's hand if within a round.
withdraw_ms: Hands off. How long after turning a card you may not slap.
withdraw_ms = 0: (Whoever turns a card may slap at once.)
withdraw_ms = {}: Take your hand away first: whoever turns a card cannot slap for {s}.
redneck: Foreheads. Who must touch his forehead before each slap.
redneck = off: (Nobody has to touch his forehead.)
redneck = convicted: Whoever has slapped wrongly once must touch his forehead before each slap.
redneck = all: Everybody must touch his forehead before each slap.
hover: Hovering. What may be done about a hand that hovers over the pile.
hover = off: (Nobody's hand can be slapped down.)
hover = slap_down: A hand that hovers over the pile may be slapped down; that is its owner's slap.
slap_hand: Hands. Which hand slaps.
slap_hand = any: (Slap with any hand.)
slap_hand = other: Slap with the hand that does not play your cards.
feints: Feints. Whether you may pretend to slap or to play.
feints = true: You may pretend to slap or to play.
feints = false: (Nobody may pretend to slap or to play.)
triple_six_ban: Burning the deck. What three sixes lead to.
triple_six_ban = true: After three sixes the deck is burned, and nobody plays before midnight.
triple_six_ban = false: (After three sixes you may play again.)

[speed]
turn_ms: Turns. How long you have to turn a card.
turn_ms = {}: You have {s} to turn a card; then it is turned for you.
collect_delay_ms: Won piles. How long a pile that is won can still be slapped.
collect_delay_ms = {}: A pile that is won lies there for {s}, and can still be slapped.
contest_ms: Second thoughts. How long a claim, a tie or a pickup waits for who has something to say.
contest_ms = {}: A claim, a tie or a pickup can be spoken against for {s}.
hover_ms: Hovering. How long a hand is over the pile before it hovers.
hover_ms = {}: A hand that is over the pile for {s} hovers.
"""


class Option(NamedTuple):
    """One option of a house: where people look for it, and what there is to say of it."""

    name: str
    group: str
    words: Words


class Requirement(NamedTuple):
    """What a choice needs: that another option has one of these values.

    `value` None is whatever differs from the default. What a firm need misses is refused; any other choice whose need
    is not met means nothing, and is not spoken of.
    """

    option: str
    value: Any
    other: str
    values: tuple[Any, ...]
    firm: bool = True


def _options() -> tuple[Option, ...]:
    groups = [block.partition("]\n") for block in _TEXT.split("[")[1:]]
    return tuple(Option(name, group, words) for group, _, text in groups for name, words in read_words(text).items())


OPTIONS = _options()
"""Every option, group by group, as it is read aloud."""

GROUPS = tuple(dict.fromkeys(option.group for option in OPTIONS))

REQUIREMENTS = (
    Requirement("cheat", "split", "collect", ("manual",)),
    Requirement("triple_six_ban", True, "slaps.triple_six", ("all_lose",)),
    Requirement("dead_place", None, "out_of_turn", ("dead",)),
    Requirement("out_of_turn_burn", None, "out_of_turn", ("dead",)),
    Requirement("join_seat", None, "late_join", ("slap_in",)),
    Requirement("slaps.top_bottom.after_burn", "burn_is_bottom", "burn_face_up", (True,)),
    Requirement("slaps.top_bottom.after_burn", None, "slaps.top_bottom.anchor", ("pile",), firm=False),
    Requirement("tie_window_ms", None, "tie", ("contact", "void", "judge")),
    Requirement("last_chance_who", None, "last_chance", tuple(range(1, 53)), firm=False),
    Requirement("contest_ms", None, "judge", ("honour",), firm=False),
    Requirement("contest_ms", None, "tie", ("judge",), firm=False),
    Requirement("contest_ms", None, "cheat", ("split",), firm=False),
    Requirement("hover_ms", None, "hover", ("slap_down",), firm=False),
)

TOUCH_ONLY = {"tie": ("contact",), "slap_hand": ("other",)}
"""Values that only mean something where fingers and hands can be told apart: on a touch screen."""

MANNERS = {
    "rings": "Rings and bracelets come off the slapping hand.",
    "taps": "A tap is a slap; agree first if there is a way to slap that you do not want at your table.",
}
"""What every table is reminded of when its manners are read; it is no choice."""

_PLAIN = Rules()


def value_at(rules: Rules, path: str) -> Any:
    """The value of an option, a slap or its parameter by its path; `off` where there is none."""
    head, *steps = path.split(".")
    value = getattr(rules, head)
    for step in steps:
        value = value.get(step, "off") if isinstance(value, dict) else "off"
    return value


def is_met(need: Requirement, rules: Rules) -> bool:
    """Whether the other option is as it must be."""
    return value_at(rules, need.other) in need.values


def unmet_requirements(rules: Rules) -> list[Requirement]:
    """The firm needs of a house's choices that are not met."""
    return [need for need in REQUIREMENTS if need.firm and _asks(need, rules) and not is_met(need, rules)]


def is_irrelevant(path: str, rules: Rules) -> bool:
    """Whether an option means nothing in a house, because none of what it needs is there."""
    needs = [need for need in REQUIREMENTS if need.option == path and need.value is None]
    return bool(needs) and not any(is_met(need, rules) for need in needs)


def _asks(need: Requirement, rules: Rules) -> bool:
    value = value_at(rules, need.option)
    return bool(value == need.value if need.value is not None else value != value_at(_PLAIN, need.option))
