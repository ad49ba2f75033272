// What is said of an event: on the table's banner, and aloud. Nothing in this file shows anything.
import { cardName, cardSign, rankName } from '../cards/card'
import type { View } from '../wire'
import { words } from '../words/room'
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
  /** How it is said behind the pile that was taken in the same moment. */
  also?: string
}

type Name = (seat: number) => string | null

const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
export const patternName = (name: string) => words.say.patterns[name] ?? title(name)

/** The headline of an event; `name` gives a seat's name, or null for my own seat. */
export function headline(event: TableEvent | Withdrawn, view: View | null, name: Name): Headline | null {
  switch (event.e) {
    case 'judged': {
      const small = event.tie ? words.say.tie : ''
      return event.pattern ? { big: words.say.pattern(patternName(event.pattern)), small, tone: 'good', aloud: '', kept: small } : null
    }
    case 'withdrawn': {
      const card = cardSign(event.card)
      return { ...said(words.say.withdrawn(card), words.say.withdrawnWhy, 'calm'), kept: words.say.withdrawnShort(card) }
    }
    case 'taken': {
      const who = name(event.seat)
      const takes = who ? words.say.takes(who, event.count) : words.say.iTake(event.count)
      const slap = event.why.startsWith('slap:') ? patternName(event.why.slice(5)) : null
      const aloud = who ? words.say.takesLong(who, event.count) : words.say.iTakeLong(event.count)
      if (!slap) return { big: takes, small: words.say.why[event.why] ?? '', tone: event.why === 'penalty' ? 'bad' : 'good', aloud }
      const big = words.say.pattern(slap)
      return { big, small: takes, tone: 'good', aloud: `${big} ${aloud}` }
    }
    case 'claimed': {
      const who = name(event.seat)
      return spoken(who ? words.notice.claims(who) : words.notice.iClaim)
    }
    case 'contested': {
      const who = name(event.seat)
      return spoken(who ? words.say.contests(who) : words.say.iContest)
    }
    case 'resumed':
      return null
    case 'given': {
      const [who, to] = [name(event.seat) ?? words.say.you, name(event.receiver) ?? words.say.toYou]
      return said(who === words.say.you ? words.say.iGive(to) : words.say.gives(who, to), '', 'calm')
    }
    case 'grabbed': {
      const who = name(event.seat)
      return spoken(who ? words.notice.grabs(who) : words.notice.iGrab)
    }
    case 'returned':
      return said(words.say.caught, name(event.seat) ?? words.say.iAmCaught, 'bad')
    case 'split':
      return said(words.say.caught, name(event.seat) ?? words.say.iAmCaught, 'bad')
    case 'stowed': {
      const who = name(event.seat)
      return said(who ? words.say.stows(who) : words.say.iStow, '', 'bad')
    }
    case 'got': {
      const who = name(event.seat)
      return said(who ? words.say.gets(who, event.count) : words.say.iGet(event.count), '', 'good')
    }
    case 'voided':
      return spoken(words.notice.voided)
    case 'tied':
      return spoken(words.notice.tie)
    case 'spared':
      return spoken(words.notice.last)
    case 'joined': {
      const who = name(event.seat)
      return { ...said(who ? words.say.joins(who) : words.say.iJoin, '', 'good'), also: who ? words.say.joinsToo : words.say.iJoinToo }
    }
    case 'reshuffled':
      return said(words.say.redealt, '', 'calm')
    case 'won': {
      const who = name(event.seat)
      return { big: who ? words.end.won(who) : words.end.iWon, small: '', tone: 'good', aloud: who ? words.say.winner(who) : words.end.iWon }
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
      return { big: words.say.wrong, small: name(event.seat) ?? '', tone: 'bad', aloud: '' }
    case 'burned': {
      const who = name(event.seat)
      const list = event.cards.map(cardSign).join(' ') || words.count(event.count)
      const aloud = event.cards.map(cardName).join(', ') || words.count(event.count)
      const [small, long] = who ? [words.say.burns(who, list), words.say.burns(who, aloud)] : [words.say.iBurn(list), words.say.iBurn(aloud)]
      return { big: words.say.wrong, small, tone: 'bad', aloud: `${words.say.wrong}: ${long}` }
    }
    case 'struck': {
      const who = name(event.seat)
      const limit = Number(view?.rules.no_cards.limit) || null
      return wrong(who ? words.say.strike(who, event.strikes, limit) : words.say.myStrike(event.strikes, limit))
    }
    case 'locked': {
      const [who, until] = [name(event.seat), event.until]
      if (until === 'game') return wrong(who ? words.say.barred(who) : words.say.iAmBarred)
      const how = until === 'pile' ? words.say.untilPile : words.say.untilCards(until - (view?.n ?? 0))
      return wrong(who ? words.say.locked(who, how) : words.say.iAmLocked(how))
    }
    case 'hand_burned': {
      const who = name(event.seat)
      return wrong(who ? words.say.burnsHand(who) : words.say.iBurnHand)
    }
    case 'indebted': {
      const who = name(event.seat)
      return wrong(who ? words.say.owes(who, event.cards) : words.say.iOwe(event.cards))
    }
    case 'eliminated': {
      const who = name(event.seat)
      return wrong(who ? words.say.thrownOut(who) : words.say.iAmThrownOut)
    }
    case 'misplayed': {
      const who = name(event.seat)
      return said(who ? words.say.misplays(who) : words.say.iMisplay, words.say.dead(cardSign(event.card)), 'bad')
    }
    case 'exposed': {
      const who = name(event.seat)
      return said(who ? words.say.exposes(who, cardSign(event.card)) : words.say.iExpose(cardSign(event.card)), '', 'calm')
    }
    case 'downed': {
      const [who, whose] = [name(event.seat), name(event.target)]
      return said(!who ? words.say.iDown(whose ?? '') : whose ? words.say.downs(who, whose) : words.say.downsMe(who), '', 'bad')
    }
    default:
      return null
  }
}

/** What I am called by when it is my turn; `card` was turned just before, and would not be heard for this. */
export function turnWords(challenge: Challenge | null, name: (seat: number) => string, card = ''): string {
  const turn = challenge ? words.say.yourTurnBeat(words.status.challenge(name(challenge.by), rankName(challenge.card)), challenge.left) : words.say.yourTurn
  return card ? `${card}. ${turn}` : turn
}

const said = (big: string, small: string, tone: Headline['tone']): Headline => ({ big, small, tone, aloud: small ? `${big}: ${small}` : big })
const wrong = (small: string): Headline => said(words.say.wrong, small, 'bad')

/** Only to be heard: the banner says it as long as it lasts. */
const spoken = (aloud: string): Headline => ({ big: '', small: '', tone: 'calm', aloud })
