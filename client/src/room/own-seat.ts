// Texts about a player's own seat. Does not decide what they may do.
import type { View } from '../wire'
import { texts } from '../i18n/table'
import { canJoin, isBarred, lockOf, owesForehead } from './selectors'

/** Why a seat's slap would not count, as a short text; null if it would. */
export function slapBlockedText(view: View, seat: number): string | null {
  const person = view.seat_states[seat]
  if (!person) return null
  const lock = lockOf(view, seat)
  if (lock === 'game' || isBarred(view, seat)) return texts.me.barredShort
  if (lock === 'pile') return texts.me.lockedPile
  if (lock) return texts.me.lockedFor(lock)
  if (person.hand_burned) return texts.me.handBurned
  return owesForehead(view, seat) ? texts.me.foreheadFirst : null
}

/** What a seat without cards can still do; '' if it has cards. */
export function noCardsText(view: View, seat: number): string {
  const person = view.seat_states[seat]
  if (view.cards_held[seat]) return ''
  if (!person) return texts.me.nextGame
  if (person.out) return texts.me.thrownOut
  if (lockOf(view, seat) === 'game') return texts.me.barred
  const { phase, challenger = null } = view.standing
  if (phase === 'last_chance' && (challenger === null || challenger === seat)) return texts.me.lastChance
  if (!person.playing) return canJoin(view) ? texts.me.newcomer : texts.me.nextGame
  if (view.rules.slap_in === 'no' || !view.slappable) return texts.me.noSlapIn
  const limit = Number(view.rules.no_cards.limit) || 0
  return limit ? texts.me.strikesLeft(limit - person.strikes) : texts.me.noCards
}
