// The words of the judge: how a race was judged, and how the judge works. They are fetched with the pages that say them.
import { plural } from './counts'

const ms = (us: number) => `${Math.round(us / 1000)} ms`
const fine = (us: number) => (us < 9_950 ? `${(us / 1000).toFixed(1)} ms` : ms(us))

export const judge = {
  ms,
  panel: {
    title: 'How it was judged',
    lines: 'Everybody’s line',
    linesHint: 'There and back, and what it mostly takes on top. Unsteady is worse than far.',
    bot: 'a bot: no line',
    away: 'nothing known yet',
    races: 'The last slaps',
    none: 'Nobody has slapped yet. Every slap can be looked into here.',
    more: 'How the judge works',
    close: 'Close',
    card: (n: number) => `Card ${n}`,
    wrong: 'Wrong slap',
    noPattern: 'Slapped',
    first: (who: string, us: number) => `${who}, ${ms(us)}`,
    legend: { own: 'from card to slap, on screen', against: 'lost on the way, counts', credited: 'lost on the way, taken off' },
  },
  hand: {
    late: 'late',
    lateWhy: 'Came when all was decided: no effect, no penalty.',
    bot: 'A bot: this is its reaction.',
    server: 'By the server’s clock alone: this page did not see the card with everybody.',
    own: (us: number) => `${ms(us)} from the card to the slap, on screen.`,
    noMore: 'Nothing was lost on the way.',
    whole: (us: number) => `${ms(us)} were lost on the way: taken off.`,
    partly: (us: number, granted: number, most: number) =>
      `${ms(us)} were lost on the way. Credit was ${ms(most)}, so ${ms(us - granted)} count on top${granted > 0 ? `, and ${ms(granted)} are taken off` : ''}.`,
    purse: (free: number, purse: number) => `Credit: ${ms(free)} as always, ${ms(purse)} in the purse.`,
    contradicted: 'Its page had said before that nothing was pressed so early.',
  },
  why: {
    wrong: 'There was nothing to slap. However fast a hand is, it pays.',
    tie: 'The first hands were less than a millisecond apart: drawn by lot.',
    alone: 'No other hand was in the race.',
    faster: (who: string, us: number, than: string) => `${who} was ${fine(us)} faster than ${than}.`,
    iFaster: (us: number, than: string) => `You were ${fine(us)} faster than ${than}.`,
    than: (who: string | null) => who ?? 'you',
    sooner: (who: string, us: number) => `${who}’s hand reached the table ${fine(us)} sooner, over a shorter way: what counts is the reaction.`,
    iSooner: (us: number) => `Your hand reached the table ${fine(us)} sooner, over a shorter way: what counts is the reaction.`,
    own: (who: string, us: number) => `${who}’s screen says ${ms(us)}, but more was lost on the way than credit makes up for.`,
    iOwn: (us: number) => `Your screen says ${ms(us)}, but more was lost on the way than credit makes up for.`,
    back: (card: string) => `${card} lay on it already, but was shown after the slap: it went back to its owner.`,
    lateHands: (n: number) => `${plural(n, 'hand', 'hands')} came too late.`,
  },
  page: {
    title: 'Who was first?',
    lead: 'The faster hand wins, not the shorter cable. This is how the judge of this table tells one from the other.',
    picture: {
      title: 'Two players, one near the server and one far away, in time',
      card: 'the card shows',
      near: 'Near',
      far: 'Far',
      nearTime: '340 ms',
      farTime: '310 ms',
      slap: 'slap',
      arrives: 'arrives',
      says: 'Near’s slap arrives first. Far’s hand was faster by 30 ms: Far wins.',
    },
    parts: [
      {
        title: 'What is measured',
        text: [
          'Your reaction, on your own screen: from the moment at which the card is to be seen there to the moment at which your finger comes down. How long the way to the server is does not enter into it.',
          'Everybody sees a card at the same moment. It is sent to the far player a little sooner than to the near one, and every page holds it back until then. Whoever turns it sees it no earlier either.',
        ],
      },
      {
        title: 'Why lying hardly pays',
        text: [
          'The server measures as well: when a slap comes in, and how long your line takes at best, by what your browser and its system answer, not by what a page claims. So it knows how fast you were, but for the moments at which the network was slower than usual.',
          'That much is believed: 25 ms on every slap, and more from a purse of at most 100 ms. A slap that needs nothing puts 5 ms into the purse, a bad moment of the network takes out what it needs. Whoever claims bad moments all the time soon has no credit left.',
        ],
      },
      {
        title: 'Too early, late, drawn',
        text: [
          'Nobody recognises a card in less than 150 ms. A hand that is down sooner was moving before: it is taken back, and costs nothing.',
          'A race is decided as soon as nobody could still win it, most often within a tenth of a second, at the latest after 600 ms. A hand that comes later is late: it has no effect, and costs nothing.',
          'Hands less than a millisecond apart are together: the winner is drawn by lot, and the table says so.',
        ],
      },
      {
        title: 'A card that goes back',
        text: [
          'It happens that a card is turned while a slap at the one before is still on its way. If that hand was down before the new card was to be seen, it was in time: the new card goes back under its owner’s cards, and the pile is judged as it lay there.',
        ],
      },
      {
        title: 'What no judge can see',
        text: [
          'How long your screen takes to show a frame and your keyboard to notice a finger: tens of milliseconds between an old set and a good one, and the same on every slap.',
          'Whether a hand is a hand. A program that slaps for somebody is only found out by being too good for too long. The bots of this table say that they are bots, and see and react as people do.',
        ],
      },
      {
        title: 'How to get a good line',
        text: [
          'Far away is no matter, unsteady is. A cable is better than Wi-Fi, Wi-Fi near its box better than far from it, and both mostly better than a mobile network. Stop downloads and films on the same line while you play, and keep this page in front: a hidden page shows no card in time.',
          'The bars at the top of a table show how your line does; press them, or “How?” after a slap, and see how each hand was judged.',
        ],
      },
    ],
  },
}
