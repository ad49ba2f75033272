// A heading for how a game ended.
import type { Finished } from '../wire'
import { texts } from '../i18n/table'
import type { Recap } from './recap'

export function titleOf({ winner, players }: Recap, game: Finished): string {
  if (winner !== null) return texts.end.won(players[winner]?.name ?? '')
  return game.events.some(({ e }) => e.e === 'lost') ? texts.end.lost : texts.end.drawn
}
