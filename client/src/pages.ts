// The pages by the first word of their address. Rooms and the start page do without this list; `index.html`, which is sent
// for all others, preloads it.
import type { Component } from 'svelte'

type Page = { default: Component }

const missing = (): Promise<Page> => import('./MissingPage.svelte')
const community = (): Promise<Page> => import('./community/CommunityPages.svelte')

const PAGES: Record<string, () => Promise<Page>> = {
  activity: () => import('./activity/ActivityPage.svelte'),
  arena: () => import('./arena/ArenaPages.svelte'),
  game: () => import('./end/RecapPage.svelte'),
  learn: () => import('./learn/LearnPage.svelte'),
  practice: () => import('./practice/PracticePage.svelte'),
  judge: () => import('./judge/JudgePage.svelte'),
  me: community,
  players: community,
  replay: () => import('./replay/ReplayPage.svelte'),
  rules: () => import('./rules/RulesPage.svelte'),
  together: () => import('./together/SetupPage.svelte'),
  watch: () => import('./watch/WatchPage.svelte'),
  tv: () => import('./tv/TvPage.svelte'),
}

/** Loads a page, or one that says that there is none of this name. */
export const load = (page: string) => (Object.hasOwn(PAGES, page) ? PAGES[page]! : missing)()
