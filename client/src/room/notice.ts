// What is said of the moment as long as it lasts, where no headline is in its place. Nothing in this file shows anything.
import type { View } from '../wire'
import { words } from '../words/room'
import type { Headline } from './headline'

/** The notice of the moment; `name` gives a seat's name, or null for my own seat. */
export function notice(view: View, name: (seat: number) => string | null): Headline | null {
  const { phase, turn, by, left } = view.to
  const who = name(turn)
  switch (phase) {
    case 'claim': {
      const against = view.claimed.slice(1).map((seat) => name(seat) ?? words.seat.you)
      const small = against.length ? words.notice.contested(against.join(', ')) : who ? '' : words.notice.myClaim
      return calm(who ? words.notice.claims(who) : words.notice.iClaim, small)
    }
    case 'tie':
      return calm(words.notice.tie, view.tied.map((seat) => name(seat) ?? words.seat.you).join(' – '))
    case 'grab':
      return { ...calm(who ? words.notice.grabs(who) : words.notice.iGrab, who ? '' : words.notice.myGrab), tone: 'bad' }
    case 'split':
      return calm(who ? words.notice.splits(who) : words.notice.iSplit, who ? '' : words.notice.mySplit)
    case 'last': {
      const slapper = by === null ? words.notice.anyone : (name(by) ?? words.notice.you)
      return { ...calm(words.notice.last, `${who ? words.notice.turns(who, left) : words.notice.iTurn(left)} ${words.notice.maySlap(slapper)}`), tone: 'good' }
    }
    default:
      return view.voided ? { ...calm(words.notice.voided, words.notice.voidedUntil), tone: 'bad' } : null
  }
}

const calm = (big: string, small: string): Headline => ({ big, small, tone: 'calm', aloud: '' })
