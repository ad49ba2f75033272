// Animations and sounds of an event. Does not change the room's state.
import { vibrate, sound } from '../sound'
import type { Label } from '../table/hands'
import type { Table } from '../table/table'
import type { VisibleCard, View } from '../wire'
import { texts } from '../i18n/table'
import type { TableEvent } from './public-view'
import { toMs, type Withdrawn } from './races'
import { challengeOf } from './selectors'
import { STREAK_SHOWN, type WinningStreak } from './winning-streak'

export interface EffectTarget {
  table: Table | null
  view: View | null
  /** The streak that includes this event. */
  streak: WinningStreak | null
  mine: (seat: number) => boolean
  label(seat: number, time: string): Label
  layAll(): void
}

const GIFT_MS = 240

/** Plays the animation and sound of an event; `gifts` counts simultaneous ones. */
export function playEffects(event: TableEvent | Withdrawn, stage: EffectTarget, gifts: number) {
  const { table, mine } = stage
  const depth = stage.view?.pile.length ?? 0
  switch (event.e) {
    case 'dealt_public':
    case 'returned':
    case 'redealt_public':
      return stage.layAll()
    case 'played':
      table?.reveal(event.card, depth)
      if (stage.view && challengeOf(stage.view)?.left === 1 && stage.view.standing.phase === 'play') sound.heart()
      return sound.card()
    case 'misplayed': {
      const dead: VisibleCard = [event.card, 'dead']
      if (event.place === 'top') table?.spoil(event.seat, dead, depth)
      else table?.burn(event.seat, [dead], depth)
      return sound.wrong()
    }
    case 'burned': {
      const burned = Array.from({ length: event.count }, (_, i): VisibleCard => [event.cards[i] ?? null, 'burned'])
      if (event.place === 'bottom') return table?.burn(event.seat, burned, depth)
      return burned.forEach((shown) => table?.spoil(event.seat, shown, depth))
    }
    case 'eliminated':
      return table?.burn(
        event.seat,
        event.cards.slice(0, 3).map((card): VisibleCard => [card, 'burned']),
        depth,
      )
    case 'exposed':
      return sound.card()
    case 'judged': {
      const order = event.order.map((hit) => ({ ...hit, label: stage.label(hit.seat, texts.say.time(toMs(hit.us))) }))
      if (event.order[0] && mine(event.order[0].seat)) vibrate(18)
      else if (event.order.some((hit) => mine(hit.seat))) sound.beaten()
      return table?.hands.judged(order, sound.slap)
    }
    case 'slapped':
      return table?.hands.down(event.seats, sound.slap)
    case 'withdrawn':
      table?.withdraw(event.seat, stage.view?.pile ?? [])
      return sound.card()
    case 'fouled':
      if (mine(event.seat)) {
        vibrate([30, 40, 30])
        table?.flinch()
      }
      sound.wrong()
      return table?.hands.aside(event.seat, stage.label(event.seat, texts.say.foulHand), 'wrong')
    case 'claimed':
    case 'contested':
    case 'tied':
      return sound.call()
    case 'given':
      table?.hand(event.seat, event.to_seat, 1, gifts * GIFT_MS)
      return sound.card()
    case 'grabbed':
      return table?.take(event.seat, event.count, () => sound.take(event.count, mine(event.seat)))
    case 'split':
      return sound.caught()
    case 'half_taken':
      table?.hand(event.cheater, event.seat, event.count, 0)
      return sound.take(event.count, mine(event.seat))
    case 'taken': {
      const { streak } = stage
      const piles = event.reason.startsWith('slap:') && streak && streak.piles >= STREAK_SHOWN ? streak.piles : 0
      if (piles && mine(event.seat)) vibrate([12, 30, 12, 30, 24])
      return table?.take(event.seat, event.count, () => sound.take(event.count, mine(event.seat), piles), piles)
    }
    case 'feinted':
      if (event.feint_type === 'slap') table?.hands.feint(event.seat)
      else table?.feint(event.seat)
      return
    case 'slapped_down':
      if (mine(event.target)) vibrate([20, 20, 20])
      return sound.slap()
    case 'voided':
      return sound.wrong()
    case 'last_chance_given':
      return sound.last()
    case 'lost':
      return sound.lost()
    case 'won':
      table?.celebrate(event.seat)
      if (mine(event.seat)) vibrate([40, 60, 40, 60, 120])
      return mine(event.seat) ? sound.won() : sound.wonByAnother()
  }
}
