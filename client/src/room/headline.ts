// The headline of an event, for the table's banner and for screen readers. No output here.
import { cardName, cardSymbol, rankName } from '../cards/card'
import type { Judged, View } from '../wire'
import { texts } from '../i18n/table'
import type { TableEvent } from './public-view'
import type { Withdrawn } from './races'
import { challengingCard, type Challenge } from './selectors'
import { STREAK_SHOWN, type WinningStreak } from './winning-streak'

export interface Headline {
  big: string
  small: string
  tone: 'good' | 'bad' | 'calm'
  aloud: string
  /** The part that stays when the pile is taken. */
  kept?: string
  /** The text when it follows a pile taken at the same moment. */
  also?: string
}

type Name = (seat: number) => string | null

const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
export const patternName = (name: string) => texts.say.patterns[name] ?? title(name)

const NEAR_US = 15_000 // so close a race is said to be close, and how sure it is

/** By how much a close race was won, and how sure that is; empty if it was clear, or if my hand was beaten: its own text says so. */
function nearMiss({ order, confidence }: Judged, name: Name): string {
  const lead = order.length > 1 ? order[1]!.us - order[0]!.us : NEAR_US
  if (!confidence || lead >= NEAR_US || order.slice(1).some(({ seat }) => name(seat) === null)) return ''
  return texts.say.near(Math.round(lead / 1000), confidence)
}

/** The headline of an event; `name` gives a seat's name, or null for my own seat; `before` is the view before it. */
export function headline(
  event: TableEvent | Withdrawn,
  view: View | null,
  name: Name,
  before: View | null = null,
  streak: WinningStreak | null = null,
): Headline | null {
  switch (event.e) {
    case 'judged': {
      const small = event.tie ? texts.say.tie : nearMiss(event, name)
      return event.pattern
        ? { big: texts.say.pattern(patternName(event.pattern)), small, tone: 'good', aloud: '', kept: small }
        : null
    }
    case 'withdrawn': {
      const card = cardSymbol(event.card)
      return {
        ...said(texts.say.withdrawn(card), texts.say.withdrawnWhy, 'calm'),
        kept: texts.say.withdrawnShort(card),
      }
    }
    case 'taken': {
      const who = name(event.seat)
      const takes = who ? texts.say.takes(who, event.count) : texts.say.iTake(event.count)
      const slap = event.reason.startsWith('slap:') ? patternName(event.reason.slice(5)) : null
      const aloud = who ? texts.say.takesLong(who, event.count) : texts.say.iTakeLong(event.count)
      if (!slap) {
        const card = event.reason === 'challenge' && before ? challengingCard(before) : null
        const unbeaten = card && (who ? texts.say.unbeaten(who, rankName(card)) : texts.say.iUnbeaten(rankName(card)))
        const small = unbeaten ?? texts.say.why[event.reason] ?? ''
        return {
          big: takes,
          small,
          tone: event.reason === 'penalty' ? 'bad' : 'good',
          aloud: unbeaten ? `${aloud} ${unbeaten}` : aloud,
        }
      }
      const big = texts.say.pattern(slap)
      const back = before?.seat_states[event.seat]?.playing && !before.cards_held[event.seat]
      const feat = back ? texts.say.back : streak && streak.piles >= STREAK_SHOWN ? texts.say.streak(streak.piles) : ''
      if (feat) return { big: feat, small: `${big} ${takes}`, tone: 'good', aloud: `${feat} ${big} ${aloud}` }
      return { big, small: takes, tone: 'good', aloud: `${big} ${aloud}` }
    }
    case 'claimed': {
      const who = name(event.seat)
      return spoken(who ? texts.notice.claims(who) : texts.notice.iClaim)
    }
    case 'contested': {
      const who = name(event.seat)
      return spoken(who ? texts.say.contests(who) : texts.say.iContest)
    }
    case 'resumed':
      return null
    case 'given': {
      const [who, to] = [name(event.seat) ?? texts.say.you, name(event.to_seat) ?? texts.say.toYou]
      return said(who === texts.say.you ? texts.say.iGive(to) : texts.say.gives(who, to), '', 'calm')
    }
    case 'grabbed': {
      const who = name(event.seat)
      return spoken(who ? texts.notice.grabs(who) : texts.notice.iGrab)
    }
    case 'returned':
      return said(texts.say.caught, name(event.seat) ?? texts.say.iAmCaught, 'bad')
    case 'split':
      return said(texts.say.caught, name(event.seat) ?? texts.say.iAmCaught, 'bad')
    case 'stowed': {
      const who = name(event.seat)
      return said(who ? texts.say.stows(who) : texts.say.iStow, '', 'bad')
    }
    case 'half_taken': {
      const who = name(event.seat)
      return said(who ? texts.say.gets(who, event.count) : texts.say.iGet(event.count), '', 'good')
    }
    case 'voided':
      return spoken(texts.notice.voided)
    case 'tied':
      return spoken(texts.notice.tie)
    case 'last_chance_given':
      return spoken(texts.notice.last)
    case 'joined': {
      const who = name(event.seat)
      return {
        ...said(who ? texts.say.joins(who) : texts.say.iJoin, '', 'good'),
        also: who ? texts.say.joinsToo : texts.say.iJoinToo,
      }
    }
    case 'redealt_public':
      return said(texts.say.redealt, '', 'calm')
    case 'limit_set':
      return said(texts.say.limit(event.cards - (view?.n ?? 0)), texts.say.mostCards, 'calm')
    case 'played':
      return view?.limit === event.n ? said(texts.say.lastPile, texts.say.mostCards, 'calm') : null
    case 'won': {
      const who = name(event.seat)
      return {
        big: who ? texts.end.won(who) : texts.end.iWon,
        small: '',
        tone: 'good',
        aloud: who ? texts.say.winner(who) : texts.end.iWon,
      }
    }
    case 'lost':
      return said(texts.end.lost, '', 'bad')
    case 'drawn':
      return said(texts.end.drawn, '', 'calm')
    default:
      return penalty(event, view, name)
  }
}

/** By how much my hand was beaten in a race; '' if it was not. */
export function beatenText(event: TableEvent | Withdrawn, mine: (seat: number) => boolean): string {
  if (event.e !== 'judged' || event.tie || !event.order[0] || mine(event.order[0].seat)) return ''
  const hand = event.order.find(({ seat }) => mine(seat))
  if (!hand) return ''
  const us = hand.us - event.order[0].us
  return texts.say.beaten(us, us < NEAR_US ? event.confidence : null)
}

/** The headline of a penalty for a wrong slap, or a card out of turn. */
function penalty(event: TableEvent | Withdrawn, view: View | null, name: Name): Headline | null {
  switch (event.e) {
    case 'fouled':
      return { big: texts.say.wrong, small: name(event.seat) ?? '', tone: 'bad', aloud: '' }
    case 'burned': {
      const who = name(event.seat)
      const list = event.cards.map(cardSymbol).join(' ') || texts.count(event.count)
      const aloud = event.cards.map(cardName).join(', ') || texts.count(event.count)
      const [small, long] = who
        ? [texts.say.burns(who, list), texts.say.burns(who, aloud)]
        : [texts.say.iBurn(list), texts.say.iBurn(aloud)]
      return { big: texts.say.wrong, small, tone: 'bad', aloud: `${texts.say.wrong}: ${long}` }
    }
    case 'struck': {
      const who = name(event.seat)
      const limit = Number(view?.rules.no_cards.limit) || null
      return wrong(who ? texts.say.strike(who, event.strikes, limit) : texts.say.myStrike(event.strikes, limit))
    }
    case 'locked': {
      const [who, until] = [name(event.seat), event.until]
      if (until === 'game') return wrong(who ? texts.say.barred(who) : texts.say.iAmBarred)
      const how = until === 'pile' ? texts.say.untilPile : texts.say.untilCards(until - (view?.n ?? 0))
      return wrong(who ? texts.say.locked(who, how) : texts.say.iAmLocked(how))
    }
    case 'hand_burned': {
      const who = name(event.seat)
      return wrong(who ? texts.say.burnsHand(who) : texts.say.iBurnHand)
    }
    case 'indebted': {
      const who = name(event.seat)
      return wrong(who ? texts.say.owes(who, event.cards) : texts.say.iOwe(event.cards))
    }
    case 'eliminated': {
      const who = name(event.seat)
      return wrong(who ? texts.say.thrownOut(who) : texts.say.iAmThrownOut)
    }
    case 'misplayed': {
      const who = name(event.seat)
      return said(who ? texts.say.misplays(who) : texts.say.iMisplay, texts.say.dead(cardSymbol(event.card)), 'bad')
    }
    case 'exposed': {
      const who = name(event.seat)
      return said(
        who ? texts.say.exposes(who, cardSymbol(event.card)) : texts.say.iExpose(cardSymbol(event.card)),
        '',
        'calm',
      )
    }
    case 'slapped_down': {
      const [who, whose] = [name(event.seat), name(event.target)]
      return said(
        !who ? texts.say.iDown(whose ?? '') : whose ? texts.say.downs(who, whose) : texts.say.downsMe(who),
        '',
        'bad',
      )
    }
    default:
      return null
  }
}

/** The announcement of my turn; it includes `card`, turned just before, whose own announcement it interrupts. */
export function turnWords(challenge: Challenge | null, name: (seat: number) => string, card = ''): string {
  const turn = challenge
    ? texts.say.yourTurnBeat(texts.status.challenge(name(challenge.by), rankName(challenge.card)), challenge.left)
    : texts.say.yourTurn
  return card ? `${card}. ${turn}` : turn
}

const said = (big: string, small: string, tone: Headline['tone']): Headline => ({
  big,
  small,
  tone,
  aloud: small ? `${big}: ${small}` : big,
})
const wrong = (small: string): Headline => said(texts.say.wrong, small, 'bad')

/** Only for screen readers: the notice shows the same on the banner. */
const spoken = (aloud: string): Headline => ({ big: '', small: '', tone: 'calm', aloud })
