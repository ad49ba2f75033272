// What comes in one piece. Each answer has headers of its own, and small ones pack badly; but nobody is to fetch what only
// another page needs.
import type { Rolldown } from 'vite'

/** What may be seen first, by the names of the pieces that only this needs. */
const PAGES = {
  main: 'src/main.ts',
  start: 'src/start/StartPage.svelte',
  room: 'src/room/RoomPage.svelte',
  table: 'src/room/TablePage.svelte',
  waiting: 'src/waiting/WaitingRoom.svelte',
  arriving: 'src/waiting/JoinRunningGame.svelte',
}

/** What is wanted at the start and in a room; what is wanted in a room whatever is seen of it; and the rest of each. */
const SHARED = ['common', 'room']

/** A piece takes in all that its modules import: what is shared is given away first. */
export const chunkGroups = [...SHARED, null].map((shared, given) => ({
  name: (module: string, context: Rolldown.ChunkingContext) => {
    const chunk = chunkOf(module, context)
    return chunk === null || (shared ?? chunk) === chunk ? chunk : null
  },
  priority: SHARED.length - given,
}))

let needs: Map<string, string[]> | null = null

/** Where a module belongs; nowhere, if only a later page needs it. */
function chunkOf(module: string, context: Rolldown.ChunkingContext): string | null {
  const pages = (needs ??= needed((id) => context.getModuleInfo(id))).get(module)
  if (!pages) return null
  if (pages.includes('main') || (pages.includes('start') && pages.length > 1)) return 'common'
  return pages.length > 1 ? 'room' : pages[0]!
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
