// Which page the address names: `/` is the start, `/rules` the rules of a house, `/judge` how slaps are judged,
// `/room/CODE` a table.

const roomOf = (path: string) => /^\/room\/([^/]+)\/?$/.exec(path)?.[1]?.toUpperCase() ?? null
const pageOf = (path: string) => (/^\/(rules|judge)\/?$/.exec(path)?.[1] ?? null) as 'rules' | 'judge' | null

/** `visit` counts how often a room was entered anew: with another seat it is another visit. */
export const route = $state({ room: roomOf(location.pathname), page: pageOf(location.pathname), visit: 0 })

function read() {
  route.room = roomOf(location.pathname)
  route.page = pageOf(location.pathname)
}

addEventListener('popstate', read)

function to(path: string) {
  history.pushState(null, '', path)
  read()
}

export const go = (room: string | null) => to(room ? `/room/${room}` : '/')

/** Where a house can be read and changed. */
export const rulesOf = (house: string) => `/rules#${house}`

export const goToRules = (house: string) => to(rulesOf(house))

/** Where it is told how slaps are judged. */
export const JUDGE = '/judge'

export const goToJudge = () => to(JUDGE)

/** Enter the same room once more: I have got a seat there. */
export function enterAgain() {
  route.visit++
}
