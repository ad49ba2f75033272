// Counts the games in which I have had a seat: beginners are shown less, and told more.
import { saveSettings, settings } from '../settings.svelte'

/** Counts a game once. */
export function countGame(game: string) {
  if (settings.lastGame === game) return
  settings.lastGame = game
  settings.games++
  saveSettings()
}
