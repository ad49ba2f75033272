// The words for when a game is over: its end, its story and its replay.
import { cards, plural } from './counts'

const piles = (n: number) => plural(n, 'pile', 'piles')
const minutes = (ms: number) => {
  const s = Math.max(1, Math.round(ms / 1000))
  return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`
}

export const after = {
  after: {
    look: 'Look at the game',
    home: 'To the start',
    mine: { best: 'Best slap', median: 'Median slap', won: 'Slapped first', wrong: 'Wrong slaps' },
    ms: (n: number) => `${n} ms`,
    none: '–',
    loading: 'One moment…',
    title: 'The story of the game',
    length: (turned: number, taken: number, ms: number) => `${cards(turned)} turned, ${piles(taken)} taken, ${minutes(ms)}.`,
    watch: 'Watch the game again',
    see: 'See it',
    close: 'Back',
    goneTitle: 'This game is not here',
    another: 'Ratscrew: to the start',
    biggest: {
      title: 'The biggest pile',
      slapped: (who: string, n: number, at: number, ms: number, pattern: string) => `${who} slapped ${cards(n)} at card ${at} in ${ms} ms: ${pattern}.`,
      taken: (who: string, n: number, at: number) => `${who} took ${cards(n)} at card ${at}.`,
    },
    decided: {
      title: 'The moment that decided',
      first: (winner: string) => `${winner} held the most cards after the first pile, and after every other one.`,
      own: (winner: string, n: number, at: number) => `With ${cards(n)} at card ${at}, ${winner} went ahead and was never caught again.`,
      other: (winner: string, taker: string, n: number, at: number) => `When ${taker} took ${cards(n)} at card ${at}, ${winner} was ahead, and was never caught again.`,
    },
    comeback: {
      title: 'Back from nothing',
      once: (who: string, at: number, most: number) => `${who} had no card left, was back at card ${at}, and then held up to ${most}.`,
      often: (who: string, times: number, most: number) => `${who} had no card left ${times} times, came back each time, and then held up to ${most}.`,
    },
    times: {
      title: 'Reaction times',
      says: 'Every slap along the game: the lower, the faster. The table below has the figures.',
      hint: 'Touch a mark to see which slap it is.',
      first: 'first',
      beaten: 'another hand was first',
      wrong: 'wrong',
      card: 'card',
      one: (who: string, at: number, ms: number) => `${who}, card ${at}: ${ms} ms`,
      every: 'Every slap, one by one',
      noPattern: 'nothing to slap',
      none: 'Nobody has slapped in this game.',
    },
    table: { player: 'Player', best: 'Best', median: 'Median', won: 'First', beaten: 'Beaten', missed: 'Missed', wrong: 'Wrong' },
    tableSays: 'Best and median in ms. First: piles won by a slap. Beaten: another hand was first. Missed: no hand came in time.',
    held: { title: 'Cards held', says: 'How many cards each player held along the game.', decided: 'decided' },
    keep: {
      title: 'Keep it',
      share: 'Share',
      copyLink: 'Copy link',
      copyText: 'Copy as text',
      text: 'The game as text',
      download: 'Download',
      copied: 'Copied',
    },
  },
  replay: {
    title: 'Replay',
    back: 'The story',
    slider: 'Moment of the game',
    moment: (n: number, of: number) => `card ${n} of ${of}`,
    play: 'Play',
    pause: 'Pause',
    stepBack: 'Step back',
    step: 'Step on',
    pileBack: 'Pile before',
    pile: 'Next pile',
    slapBack: 'Slap before',
    slap: 'Next slap',
    slapSign: 'slap',
    pileSign: 'pile',
    speed: 'Speed',
    times: (n: number) => `${n}×`,
    here: 'Share this moment',
    how: 'How was it judged?',
    dealt: 'The cards are dealt',
    turns: (who: string, card: string) => `${who} turns ${card}`,
    hand: (who: string, ms: number) => `${who} ${ms} ms`,
    wrongHand: (who: string, ms: number) => `${who} slaps after ${ms} ms, and there is nothing to slap`,
    held: (who: string, n: number) => `${who}, ${cards(n)}`,
  },
}
