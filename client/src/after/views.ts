// The table at every moment of a game that is over.
import { follow } from '../room/follow'
import type { Finished, View } from '../wire'

/** The view after so many events; null before the cards are dealt. */
export function viewsOf(game: Finished): (View | null)[] {
  const views: (View | null)[] = [null]
  for (const { e } of game.events) views.push(follow(views[views.length - 1]!, e))
  return views
}
