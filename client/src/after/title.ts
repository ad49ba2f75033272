// How a game ended, in a heading.
import type { Finished } from '../wire'
import { words } from '../words/room'
import type { Story } from './story'

export function titleOf({ winner, players }: Story, game: Finished): string {
  if (winner !== null) return words.end.won(players[winner]?.name ?? '')
  return game.events.some(({ e }) => e.e === 'lost') ? words.end.lost : words.end.drawn
}
