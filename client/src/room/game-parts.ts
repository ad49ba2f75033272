// What a room needs once it has a game: how a view changes, and what is said, shown and heard of it. A room without a game
// does not load this; it comes with its texts.
import type { Reacted } from '../wire'
import { texts } from '../i18n/table'
import type { Label } from '../table/hands'

export { availableActions } from './actions'
export { playEffects } from './event-effects'
export { beatenText, headline, turnWords } from './headline'
export { PressTracker } from './press-tracker'
export { viewAfter } from './public-view'
export { sound, vibrate } from '../sound'
export { cardAnnouncement, outOfCardsAnnouncements } from './screen-reader'

/** What a reaction says; `who` is null for mine. */
export const reactionText = (who: string | null, reaction: Reacted['reaction']) =>
  texts.signs.said(who ?? texts.seat.you, texts.signs.names[reaction])

/** What stands at a hand; `who` is null for mine. */
export const handLabel = (who: string | null, time: string): Label => ({ who: who ?? texts.seat.you, time })

/** Why a press had no effect. */
export const refusalInGame = (reason: string) => texts.refusedInGame[reason]

export const timeText = (ms: number) => texts.say.time(ms)
