// The public view at every moment of a finished game.
import { viewAfter } from '../room/public-view'
import type { Finished, View } from '../wire'

/** The view after so many events; null before the cards are dealt. */
export function viewsAfterEvents(game: Finished): (View | null)[] {
  const views: (View | null)[] = [null]
  for (const event of game.events) views.push(viewAfter(views[views.length - 1]!, event))
  return views
}
