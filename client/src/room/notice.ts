// The notice of the current phase, shown while there is no headline. No output here.
import type { View } from '../wire'
import { texts } from '../i18n/table'
import type { Headline } from './headline'

/** The notice of the current phase; `name` gives a seat's name, or null for my own seat. */
export function notice(view: View, name: (seat: number) => string | null): Headline | null {
  const { phase, turn, challenger: by = null, chances_left: left = 0 } = view.standing
  const who = name(turn)
  switch (phase) {
    case 'claim': {
      const against = view.claimants.slice(1).map((seat) => name(seat) ?? texts.seat.you)
      const small = against.length ? texts.notice.contested(against.join(', ')) : who ? '' : texts.notice.myClaim
      return calm(who ? texts.notice.claims(who) : texts.notice.iClaim, small)
    }
    case 'tie':
      return calm(texts.notice.tie, view.tied.map((seat) => name(seat) ?? texts.seat.you).join(' – '))
    case 'grab':
      return {
        ...calm(who ? texts.notice.grabs(who) : texts.notice.iGrab, who ? '' : texts.notice.myGrab),
        tone: 'bad',
      }
    case 'split':
      return calm(who ? texts.notice.splits(who) : texts.notice.iSplit, who ? '' : texts.notice.mySplit)
    case 'last_chance': {
      const slapper = by === null ? texts.notice.anyone : (name(by) ?? texts.notice.you)
      return {
        ...calm(
          texts.notice.last,
          `${who ? texts.notice.turns(who, left) : texts.notice.iTurn(left)} ${texts.notice.maySlap(slapper)}`,
        ),
        tone: 'good',
      }
    }
    default:
      return view.voided ? { ...calm(texts.notice.voided, texts.notice.voidedUntil), tone: 'bad' } : null
  }
}

const calm = (big: string, small: string): Headline => ({ big, small, tone: 'calm', aloud: '' })
