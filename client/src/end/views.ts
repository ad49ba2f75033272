// The public view at every moment of a finished game.
import { applyEvent } from '../room/public-view'
import type { Finished, View } from '../wire'

/** The view after so many events; null before the cards are dealt. */
export function viewsAfterEvents(game: Finished): (View | null)[] {
  const views: (View | null)[] = [null]
  for (const { e } of game.events) views.push(applyEvent(views[views.length - 1]!, e))
  return views
}
