// What is said of the moment as long as it lasts, where no headline is in its place. Nothing in this file shows anything.
import type { View } from '../wire'
import { words } from '../words'
import type { Headline } from './headline'

const say = words.notice

/** The notice of the moment; `name` gives a seat's name, or null for my own seat. */
export function notice(view: View, name: (seat: number) => string | null): Headline | null {
  const { phase, turn, by, left } = view.to
  const who = name(turn)
  switch (phase) {
    case 'claim': {
      const against = view.claimed.slice(1).map((seat) => name(seat) ?? words.seat.you)
      const small = against.length ? say.contested(against.join(', ')) : who ? '' : say.myClaim
      return calm(who ? say.claims(who) : say.iClaim, small)
    }
    case 'tie':
      return calm(say.tie, view.tied.map((seat) => name(seat) ?? words.seat.you).join(' – '))
    case 'grab':
      return { ...calm(who ? say.grabs(who) : say.iGrab, who ? '' : say.myGrab), tone: 'bad' }
    case 'split':
      return calm(who ? say.splits(who) : say.iSplit, who ? '' : say.mySplit)
    case 'last': {
      const slapper = by === null ? say.anyone : (name(by) ?? say.you)
      return { ...calm(say.last, `${who ? say.turns(who, left) : say.iTurn(left)} ${say.maySlap(slapper)}`), tone: 'good' }
    }
    default:
      return view.voided ? { ...calm(say.voided, say.voidedUntil), tone: 'bad' } : null
  }
}

const calm = (big: string, small: string): Headline => ({ big, small, tone: 'calm', aloud: '' })
