// What is said of an event: on the table's banner, and aloud. Nothing in this file shows anything.
import { cardName, cardSign } from '../cards/card'
import type { View } from '../wire'
import { words } from '../words'
import type { TableEvent } from './follow'

export interface Headline {
  big: string
  small: string
  tone: 'good' | 'bad' | 'calm'
  aloud: string
}

const say = words.say
const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
export const patternName = (name: string) => say.patterns[name] ?? title(name)

/** The headline of an event; `name` gives a seat's name, or null for my own seat. */
export function headline(event: TableEvent, view: View | null, name: (seat: number) => string | null): Headline | null {
  switch (event.e) {
    case 'judged': {
      const big = say.pattern(patternName(event.pattern))
      return { big, small: event.tie ? say.tie : '', tone: 'good', aloud: '' }
    }
    case 'taken': {
      const who = name(event.seat)
      const n = event.cards.length
      const takes = who ? say.takes(who, n) : say.iTake(n)
      const slap = event.why.startsWith('slap:') ? patternName(event.why.slice(5)) : null
      const aloud = who ? say.takesLong(who, n) : say.iTakeLong(n)
      if (!slap) return { big: takes, small: '', tone: 'good', aloud }
      const big = say.pattern(slap)
      return { big, small: takes, tone: 'good', aloud: `${big} ${aloud}` }
    }
    case 'fouled': {
      const who = name(event.seat)
      return { big: say.wrong, small: who ?? '', tone: 'bad', aloud: '' }
    }
    case 'burned': {
      const who = name(event.seat)
      const small = burns(who, event.cards.map(cardSign).join(' '))
      return { big: say.wrong, small, tone: 'bad', aloud: `${say.wrong}: ${burns(who, event.cards.map(cardName).join(', '))}` }
    }
    case 'struck': {
      const who = name(event.seat)
      const limit = Number(view?.rules.no_cards.limit) || null
      const strike = who ? say.strike(who, event.strikes, limit) : say.myStrike(event.strikes, limit)
      const small = event.barred ? (who ? say.barred(who) : say.iAmBarred) : strike
      return { big: say.wrong, small, tone: 'bad', aloud: `${say.wrong}: ${small}` }
    }
    case 'won': {
      const who = name(event.seat)
      return { big: who ? words.end.won(who) : words.end.iWon, small: '', tone: 'good', aloud: who ? say.winner(who) : words.end.iWon }
    }
    default:
      return null
  }
}

function burns(who: string | null, list: string): string {
  return who ? say.burns(who, list) : say.iBurn(list)
}
