// What is said of an event: on the table's banner, and aloud. Nothing in this file shows anything.
import { cardName, cardSign, rankName } from '../cards/card'
import type { View } from '../wire'
import { words } from '../words'
import type { TableEvent } from './follow'
import type { Withdrawn } from './races'
import type { Challenge } from './read'

export interface Headline {
  big: string
  small: string
  tone: 'good' | 'bad' | 'calm'
  aloud: string
  /** What is still said when the pile has been taken. */
  kept?: string
}

type Name = (seat: number) => string | null

const say = words.say
const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
export const patternName = (name: string) => say.patterns[name] ?? title(name)

/** The headline of an event; `name` gives a seat's name, or null for my own seat. */
export function headline(event: TableEvent | Withdrawn, view: View | null, name: Name): Headline | null {
  switch (event.e) {
    case 'judged': {
      const small = event.tie ? say.tie : ''
      return event.pattern ? { big: say.pattern(patternName(event.pattern)), small, tone: 'good', aloud: '', kept: small } : null
    }
    case 'withdrawn': {
      const card = cardSign(event.card)
      return { ...said(say.withdrawn(card), say.withdrawnWhy, 'calm'), kept: say.withdrawnShort(card) }
    }
    case 'taken': {
      const who = name(event.seat)
      const takes = who ? say.takes(who, event.count) : say.iTake(event.count)
      const slap = event.why.startsWith('slap:') ? patternName(event.why.slice(5)) : null
      const aloud = who ? say.takesLong(who, event.count) : say.iTakeLong(event.count)
      if (!slap) return { big: takes, small: say.why[event.why] ?? '', tone: event.why === 'penalty' ? 'bad' : 'good', aloud }
      const big = say.pattern(slap)
      return { big, small: takes, tone: 'good', aloud: `${big} ${aloud}` }
    }
    case 'claimed': {
      const who = name(event.seat)
      return spoken(who ? words.notice.claims(who) : words.notice.iClaim)
    }
    case 'contested': {
      const who = name(event.seat)
      return spoken(who ? say.contests(who) : say.iContest)
    }
    case 'resumed':
      return null
    case 'given': {
      const [who, to] = [name(event.seat) ?? say.you, name(event.receiver) ?? say.toYou]
      return said(who === say.you ? say.iGive(to) : say.gives(who, to), '', 'calm')
    }
    case 'grabbed': {
      const who = name(event.seat)
      return spoken(who ? words.notice.grabs(who) : words.notice.iGrab)
    }
    case 'returned':
      return said(say.caught, name(event.seat) ?? say.iAmCaught, 'bad')
    case 'split':
      return said(say.caught, name(event.seat) ?? say.iAmCaught, 'bad')
    case 'stowed': {
      const who = name(event.seat)
      return said(who ? say.stows(who) : say.iStow, '', 'bad')
    }
    case 'got': {
      const who = name(event.seat)
      return said(who ? say.gets(who, event.count) : say.iGet(event.count), '', 'good')
    }
    case 'voided':
      return spoken(words.notice.voided)
    case 'tied':
      return spoken(words.notice.tie)
    case 'spared':
      return spoken(words.notice.last)
    case 'joined': {
      const who = name(event.seat)
      return said(who ? say.joins(who) : say.iJoin, '', 'good')
    }
    case 'reshuffled':
      return said(say.redealt, '', 'calm')
    case 'won': {
      const who = name(event.seat)
      return { big: who ? words.end.won(who) : words.end.iWon, small: '', tone: 'good', aloud: who ? say.winner(who) : words.end.iWon }
    }
    case 'lost':
      return said(words.end.lost, '', 'bad')
    case 'drawn':
      return said(words.end.drawn, '', 'calm')
    default:
      return penalty(event, view, name)
  }
}

/** What a wrong slap, or a card out of turn, has cost. */
function penalty(event: TableEvent | Withdrawn, view: View | null, name: Name): Headline | null {
  switch (event.e) {
    case 'fouled':
      return { big: say.wrong, small: name(event.seat) ?? '', tone: 'bad', aloud: '' }
    case 'burned': {
      const who = name(event.seat)
      const list = event.cards.map(cardSign).join(' ') || words.count(event.count)
      const aloud = event.cards.map(cardName).join(', ') || words.count(event.count)
      const [small, long] = who ? [say.burns(who, list), say.burns(who, aloud)] : [say.iBurn(list), say.iBurn(aloud)]
      return { big: say.wrong, small, tone: 'bad', aloud: `${say.wrong}: ${long}` }
    }
    case 'struck': {
      const who = name(event.seat)
      const limit = Number(view?.rules.no_cards.limit) || null
      return wrong(who ? say.strike(who, event.strikes, limit) : say.myStrike(event.strikes, limit))
    }
    case 'locked': {
      const [who, until] = [name(event.seat), event.until]
      if (until === 'game') return wrong(who ? say.barred(who) : say.iAmBarred)
      const how = until === 'pile' ? say.untilPile : say.untilCards(until - (view?.n ?? 0))
      return wrong(who ? say.locked(who, how) : say.iAmLocked(how))
    }
    case 'hand_burned': {
      const who = name(event.seat)
      return wrong(who ? say.burnsHand(who) : say.iBurnHand)
    }
    case 'indebted': {
      const who = name(event.seat)
      return wrong(who ? say.owes(who, event.cards) : say.iOwe(event.cards))
    }
    case 'eliminated': {
      const who = name(event.seat)
      return wrong(who ? say.thrownOut(who) : say.iAmThrownOut)
    }
    case 'misplayed': {
      const who = name(event.seat)
      return said(who ? say.misplays(who) : say.iMisplay, say.dead(cardSign(event.card)), 'bad')
    }
    case 'exposed': {
      const who = name(event.seat)
      return said(who ? say.exposes(who, cardSign(event.card)) : say.iExpose(cardSign(event.card)), '', 'calm')
    }
    case 'downed': {
      const [who, of] = [name(event.seat), name(event.target)]
      return said(of ? say.downs(who ?? say.you, of) : say.downsMe(who ?? say.you), '', 'bad')
    }
    default:
      return null
  }
}

/** What I am called by when it is my turn. */
export function turnWords(challenge: Challenge | null, name: (seat: number) => string): string {
  if (!challenge) return say.yourTurn
  return say.yourTurnBeat(words.status.challenge(name(challenge.by), rankName(challenge.card)), challenge.left)
}

const said = (big: string, small: string, tone: Headline['tone']): Headline => ({ big, small, tone, aloud: small ? `${big}: ${small}` : big })
const wrong = (small: string): Headline => said(say.wrong, small, 'bad')

/** Only to be heard: the banner says it as long as it lasts. */
const spoken = (aloud: string): Headline => ({ big: '', small: '', tone: 'calm', aloud })
