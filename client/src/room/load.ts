// Loads the code of a room's page, each piece together with its texts.
import { withRoomTexts } from '../i18n/room'
import { withTableTexts } from '../i18n/table'

const loadParts = () => withTableTexts(() => import('./game-parts'))

export type GameParts = Awaited<ReturnType<typeof loadParts>>

export const loadRoomPage = () => withRoomTexts(() => import('./RoomPage.svelte'))

/** Loads the styles that only a window of this size needs. Where they cannot be loaded, the table does without them. */
export async function loadWindowStyles(): Promise<void> {
  try {
    if (innerWidth >= 1800) await import('../styles/wide.css')
    if (innerWidth < 720 && innerHeight <= 500) await import('../styles/compact.css')
  } catch {}
}

/** Loads the table, with its styles: a small window would show it cut off until they are there. */
export async function loadTablePage() {
  const styles = loadWindowStyles()
  const page = await withTableTexts(() => import('./TablePage.svelte'))
  await styles
  return page
}

/** Loads what a room needs once it has a game; at the same time the page that shows it to a player, or to a visitor. */
export async function loadGame(seated: boolean): Promise<GameParts> {
  const page = seated ? loadTablePage() : withTableTexts(() => import('../waiting/JoinRunningGame.svelte'))
  void page.catch(() => undefined) // who shows it says so
  return loadParts()
}

/** Loads all that a running table needs. */
export const loadTable = () => Promise.all([loadRoomPage(), loadGame(true), loadTablePage()])
