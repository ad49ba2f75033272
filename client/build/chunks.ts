// The groups of modules that share a chunk. Each response has its own headers, and small ones compress badly; but no page
// should load what only another one needs.
import type { Rolldown } from 'vite'

/** The pages that may be shown first, by the names of the chunks that only they need. */
const PAGES = {
  main: 'src/main.ts',
  start: 'src/start/StartPage.svelte',
  room: 'src/room/RoomPage.svelte',
  game: 'src/room/game-parts.ts',
  table: 'src/room/TablePage.svelte',
  waiting: 'src/waiting/WaitingRoom.svelte',
  arriving: 'src/waiting/JoinRunningGame.svelte',
}

/** Shared chunks: for the start page and rooms, for all views of a room, and for those of a game. */
const SHARED = ['common', 'room', 'game']

/** A chunk takes in all that its modules import, so shared chunks have priority. */
export const chunkGroups = [...SHARED, null].map((shared, given) => ({
  name: (module: string, context: Rolldown.ChunkingContext) => {
    const chunk = chunkOf(module, context)
    return chunk === null || (shared ?? chunk) === chunk ? chunk : null
  },
  priority: SHARED.length - given,
}))

let needs: Map<string, string[]> | null = null

/** A module's chunk; null if only a later page needs it. */
function chunkOf(module: string, context: Rolldown.ChunkingContext): string | null {
  const pages = (needs ??= needed((id) => context.getModuleInfo(id))).get(module)
  if (!pages) return null
  if (pages.includes('main') || (pages.includes('start') && pages.length > 1)) return 'common'
  const shared = pages.includes('room') || pages.includes('waiting') ? 'room' : 'game'
  return pages.length > 1 ? shared : pages[0]!
}

/** The pages that need each module before they can be shown. */
function needed(infoOf: (id: string) => Rolldown.ModuleInfo | null): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [page, file] of Object.entries(PAGES)) {
    const follow = (module: string) => {
      const pages = found.get(module) ?? []
      if (pages.includes(page)) return
      found.set(module, [...pages, page])
      infoOf(module)?.importedIds.forEach(follow)
    }
    const root = `${process.cwd()}/${file}`
    if (!infoOf(root)) throw new Error(`${file} is no part of the client`)
    follow(root)
  }
  return found
}
