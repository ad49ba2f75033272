// What screen readers announce besides the headlines: the cards, and who has none left. No output here.
import { cardBrief, cardName } from '../cards/card'
import type { View } from '../wire'
import { texts } from '../i18n/table'
import type { TableEvent } from './public-view'
import { noCardsText } from './own-seat'
import type { Withdrawn } from './races'
import { chancesOf } from './selectors'

/** Events whose headlines already say who has cards. */
const RETOLD: ReadonlySet<string> = new Set(['dealt', 'redealt_public', 'eliminated'])

type Name = (seat: number) => string | null

/** Announcements for players without cards after an event; `name` gives a seat's name, or null for my own. */
export function outOfCardsAnnouncements(
  event: TableEvent | Withdrawn,
  before: View | null,
  view: View | null,
  name: Name,
): string[] {
  if (!before || !view || RETOLD.has(event.e)) return []
  const spent = view.cards_held.flatMap((held, seat) => (held || !before.cards_held[seat] ? [] : [seat]))
  return spent.map((seat) => {
    const who = name(seat)
    return who ? texts.say.spent(who) : texts.say.iSpent(noCardsText(view, seat))
  })
}

/** The announcement of a turned card: in full if it challenges or if `every` card is wanted; else only rank and suit, rank
    first, so that a slap need not wait for the end of a sentence. '' if no slap can follow. */
export function cardAnnouncement(
  event: TableEvent | Withdrawn,
  view: View | null,
  name: Name,
  every: boolean,
  slaps: boolean,
): { text: string; brief: boolean } {
  if (event.e !== 'played' || !view) return { text: '', brief: true }
  const { card, seat } = event
  if (every || chancesOf(view, card))
    return { text: texts.say.turns(name(seat) ?? texts.say.you, cardName(card)), brief: false }
  return { text: slaps ? cardBrief(card) : '', brief: true }
}
