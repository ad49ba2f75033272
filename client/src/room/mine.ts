// What a player is told of his own side of the table. Nothing in this file decides what he may do.
import type { View } from '../wire'
import { words } from '../words/room'
import { lockOf, owesForehead } from './read'

/** Whether a seat cannot slap any more in this game. */
export const isBarred = (view: View, seat: number): boolean => !!view.people[seat]?.out || lockOf(view, seat) === 'game'

/** Why a seat's slap would not count, in few words; null if it does. */
export function stoppedBy(view: View, seat: number): string | null {
  const person = view.people[seat]
  if (!person) return null
  const lock = lockOf(view, seat)
  if (lock === 'game' || isBarred(view, seat)) return words.me.barredShort
  if (lock === 'pile') return words.me.lockedPile
  if (lock) return words.me.lockedFor(lock)
  if (person.hand_burned) return words.me.handBurned
  return owesForehead(view, seat) ? words.me.foreheadFirst : null
}

/** What becomes of a seat that holds no cards; '' if it does. */
export function hopeOf(view: View, seat: number): string {
  const person = view.people[seat]
  if (view.held[seat]) return ''
  if (!person) return words.me.nextGame
  if (person.out) return words.me.thrownOut
  if (lockOf(view, seat) === 'game') return words.me.barred
  if (view.to.phase === 'last' && (view.to.by === null || view.to.by === seat)) return words.me.lastChance
  if (!person.playing) return view.rules.late_join === 'no' ? words.me.nextGame : words.me.newcomer
  if (view.rules.slap_in === 'no') return words.me.noSlapIn
  const limit = Number(view.rules.no_cards.limit) || 0
  return limit ? words.me.strikesLeft(limit - person.strikes) : words.me.noCards
}
