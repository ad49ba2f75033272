"""Room codes: a word and digits, such as `WOLF4821` (pages show `WOLF 4821`). Does not know which rooms exist.

A code is the key to a private room, so it must not be guessed. The more codes are in use, the more digits a new one
gets: at every length a random guess finds a room with a probability below 1 in `GUESSES_PER_ROOM`. So codes never run
out either. Rooms of older versions have codes of four letters without digits, which still work.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from ratscrew.deck import Draw
from ratscrew.errors import RulesError
from ratscrew.rules.words import say

_WORDS = """
    ACRE AIDE ALTO AQUA ARCH AREA ARIA ATOM AUNT AURA AXIS AXLE BABY BAKE BALE BALL BAND BANK BARD BARK BARN BASE
    BATH BEAD BEAK BEAM BEAN BEAR BEAT BEEF BEET BELL BELT BEND BIKE BIRD BLUE BOAT BOLD BOLT BOND BONE BOOK BOOM
    BOOT BOWL BRAN BREW BRIM BUCK BULB BUOY BUSH BUZZ CAFE CAKE CALF CALM CAMP CANE CAPE CARD CARE CART CASE CASH
    CAVE CELL CENT CHAP CHAT CHEF CHIN CHIP CITY CLAM CLAN CLAP CLAY CLIP CLUB CLUE COAL COAT COCO CODA CODE COIL
    COIN COLD COLT COMB CONE COOK COOL COPY CORD CORE CORK CORN COVE COZY CRAB CREW CROP CUBE CUFF CURL DALE DAME
    DARE DART DASH DATE DAWN DEAL DEAN DECK DEED DEEP DEER DELI DESK DIAL DICE DIME DINE DISH DISK DIVE DOCK DOLL
    DOME DOOR DOVE DOZE DRAW DRIP DRUM DUCK DUET DUKE DUNE DUSK DUST DUTY EARL EARN EASE EAST EASY ECHO EDGE EDIT
    ELMS EMIT EPIC EVEN EXAM EXIT FACE FACT FAIR FALL FAME FARM FAST FAWN FEAT FERN FIGS FILE FILM FIND FINE FIRE
    FIRM FISH FIVE FLAG FLAX FLEX FLIP FLOW FLUX FOAL FOAM FOIL FOLD FOLK FOND FONT FOOD FOOT FORD FORK FORM FORT
    FOUR FOWL FREE FROG FUEL FUND FUSE GAIN GALA GALE GAME GATE GAZE GEAR GEMS GENE GIFT GLAD GLEE GLOW GLUE GOAL
    GOAT GOLD GOLF GONG GOOD GOWN GRAB GRAM GRID GRIN GRIP GROW GULF GURU HAIL HAIR HALF HALL HALO HAND HARE HARP
    HAWK HAZE HEAD HEAP HEAT HEEL HELM HERB HERD HERO HIGH HIKE HILL HINT HIVE HOLD HOME HOOD HOOF HOOK HOOP HOPE
    HORN HOST HOUR HUES HULL HYMN IBIS ICED ICON IDEA IDOL INCH IRIS IRON ISLE ITEM JADE JAZZ JEEP JEST JOIN JOKE
    JOLT JUDO JULY JUMP JUNE JURY KALE KEEN KEEP KELP KIND KING KITE KIWI KNEE KNIT KNOB KNOT LACE LADY LAKE LAMB
    LAMP LAND LANE LARK LAVA LAWN LEAD LEAF LEAP LEEK LEND LENS LIFE LIFT LILY LIME LINE LINK LION LIST LOAF LOCK
    LOFT LOGO LONG LOOK LOOM LOOP LORD LOUD LOVE LUCK LULL LUTE LYNX LYRE MAIL MAIN MALT MANE MAPS MARE MARK MASK
    MAST MATH MAZE MEAL MELT MEMO MENU MESA MESH MICE MILD MILE MILK MILL MIME MIND MINE MINK MINT MIST MOAT MODE
    MOLE MONK MOOD MOON MOSS MOTH MOVE MULE MUSE MYTH NAIL NAME NAVY NEAT NECK NEON NEST NEWS NEWT NEXT NICE NILE
    NINE NODE NOON NORM NOSE NOTE NOUN OARS OATH OATS OBOE ODDS OGRE OKRA OPAL OPEN ORAL ORCA OVAL OVEN OVER PACE
    PACK PAGE PAIL PAIR PALM PARK PART PATH PAVE PAWN PEAK PEAR PEEL PEER PEGS PERK PIER PIKE PILE PINE PING PINT
    PIPE PLAN PLAY PLOT PLUM PLUS POEM POET POLE POLO POND PONY POOL PORT POSE POST POUR PUFF PULP PUMA PURE QUAD
    QUAY QUIZ RACE RACK RAFT RAIL RAIN RAMP RANK RARE READ REAL REED REEF REEL REST RICE RICH RIDE RING RISE RISK
    ROAD ROAM ROBE ROCK ROLL ROOF ROOK ROOM ROOT ROPE ROSE RUBY RUNE RUSH SAGA SAGE SAIL SALT SAND SAVE SCAN SEAL
    SEAM SEAT SEED SHED SHIP SHOE SHOP SHOW SIGN SILK SING SITE SIZE SKIP SKIS SLED SLIM SNAP SNOW SOAP SODA SOFA
    SOFT SOIL SOLE SOLO SONG SOUP SPIN SPOT STAR STEM STEP STEW STIR SUIT SURF SWAN SWIM TACO TAIL TALE TALK TAME
    TANK TAPE TASK TAXI TEAL TEAM TENT TERM TEST TEXT THAW TIDE TIDY TILE TIME TINT TOAD TOFU TOGA TONE TOOL TOUR
    TOWN TRAM TRAY TREE TREK TRIM TRIO TRIP TRUE TUBA TUBE TUNA TUNE TURF TURN TWIG TWIN UNIT URGE VASE VAST VEIL
    VERB VEST VIEW VINE VISA VOTE WADE WAGE WALK WALL WAND WARM WAVE WEST WHIP WIDE WILD WIND WINE WING WINK WISE
    WISH WOLF WOOD WOOL WORD WORK WRAP WREN YARD YARN YEAR YETI YOGA YOLK ZEAL ZERO ZEST ZINC ZONE ZOOM
"""
WORDS = tuple(_WORDS.split())

GUESSES_PER_ROOM = 500_000
"""How many random guesses of one length it takes, on average and at least, to find a room."""

LETTERS = 4
"""How many letters a code begins with."""

DIGITS_LEAST, DIGITS_MOST = 4, 12
"""How many digits follow: 4 while up to 12 codes have 4, 5 while up to 127 have 5, and so on by tens."""

TRIES = 40
"""How many codes of one length are drawn before the next length is used. Nearly all codes of a length are free."""

_CODE = re.compile(rf"[A-Z]{{{LETTERS}}}(?:[0-9]{{{DIGITS_LEAST},{DIGITS_MOST}}})?", re.ASCII)
_SEPARATORS = str.maketrans("", "", " -")


def new_code(is_free: Callable[[str], bool], in_use: Callable[[int], int], draw: Draw) -> str:
    """A new code: a random word, and as few digits as keep it from being guessed.

    `in_use(digits)` counts the codes with so many digits that lead to a room. `draw` has to be unpredictable.

    Raises: RulesError if there is none, which needs more than 10**12 rooms.
    """
    for digits in range(DIGITS_LEAST, DIGITS_MOST + 1):
        if not has_capacity(digits, in_use(digits)):
            continue
        for _ in range(TRIES):
            if is_free(code := f"{WORDS[draw(len(WORDS))]}{draw(10**digits):0{digits}}"):
                return code
    raise RulesError([say("this server is full: try again later")])


def code_of_name(name: str) -> str:
    """The code of a room that is known by a name elsewhere, such as the instance of an activity: always the same.

    It is as long as codes can be, so that names do not meet: of a million, two do with a probability below 0.1 %.
    """
    number, word = divmod(int.from_bytes(hashlib.sha256(name.encode()).digest()), len(WORDS))
    return f"{WORDS[word]}{number % 10**DIGITS_MOST:0{DIGITS_MOST}}"


def has_capacity(digits: int, in_use: int) -> bool:
    """Whether one more code may have so many digits, of which `in_use` lead to a room already."""
    return (in_use + 1) * GUESSES_PER_ROOM < len(WORDS) * int(10**digits)


def is_code(text: str) -> bool:
    """Whether a text has the form of a code: four capital letters, then 4 to 12 digits or none."""
    return _CODE.fullmatch(text) is not None


def read_code(typed: str) -> str | None:
    """The code in what a player typed, in any case, with or without spaces and hyphens; None if it has another form."""
    if len(typed) > 2 * (LETTERS + DIGITS_MOST) or not typed.isascii():
        return None
    code = typed.translate(_SEPARATORS).upper()
    return code if is_code(code) else None
