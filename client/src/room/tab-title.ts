// What the browser's tab says of a table, for a player who looks elsewhere.
import { texts } from '../i18n/table'
import type { Room } from './room.svelte'

type RoomState = Pick<Room, 'view' | 'ended' | 'paused' | 'myTurn' | 'ready' | 'yours' | 'spokenName'>

export function tabTitle(room: RoomState): string {
  const now = whatIsOn(room)
  return now ? `${now} · ${texts.game}` : texts.game
}

function whatIsOn({ view, ended, paused, myTurn, ready, yours, spokenName }: RoomState): string {
  if (!view) return ''
  if (ended) {
    if (ready.length && !yours.every((seat) => ready.includes(seat))) return texts.end.again
    if (view.end !== 'won') return view.end === 'lost' ? texts.end.lost : texts.end.drawn
    const winner = spokenName(view.standing.turn)
    return winner ? texts.end.won(winner) : texts.end.iWon
  }
  return paused ? texts.notice.paused : myTurn ? texts.say.yourTurn : ''
}
