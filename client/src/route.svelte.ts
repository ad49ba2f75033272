// The router: `/` is the start page, `/room/CODE` a table; the others are listed in App.svelte. A link can bring seats,
// `/room/CODE#seat=PASS`: the pass is removed from the address before anything is shown, and redeemed.
import { parseRoomCode } from './net/room-code'

interface Place {
  page: string
  code: string | null
}

function place(): Place {
  const [, page = '', name = ''] = location.pathname.split('/')
  return { page, code: name ? named(page, decodeURIComponent(name)) : null }
}

/** The code of a room however the address has it (`wolf-4821`), else what the address names, such as a game. */
function named(page: string, name: string): string {
  const { code, complete } = parseRoomCode(name)
  return complete && (page === 'room' || page === 'tv') ? code : name.toUpperCase()
}

const nothing: Promise<unknown> = Promise.resolve(null)

/** Why the address has not brought the seats that it should, once that is known; null if it brings none. */
function brought(code: string | null): Promise<unknown> | null {
  const pass = /^#seat=(.+)$/.exec(location.hash)?.[1]
  if (!pass || !code) return null
  history.replaceState(null, '', location.pathname)
  return import('./net/seat-transfer').then(({ redeemPass }) => redeemPass(code, pass)).then(() => null, (why: unknown) => why)
}

const first = place()

/** `visit` counts how often a room was entered anew: with another seat it is another visit, which begins behind `seats`. */
export const route = $state({ ...first, visit: 0, seats: brought(first.code) ?? nothing })

function read() {
  Object.assign(route, place())
  const seats = brought(route.code)
  if (seats) Object.assign(route, { seats, visit: route.visit + 1 })
}

addEventListener('popstate', read)

export function navigate(path: string) {
  history.pushState(null, '', path)
  read()
}

/** A click on a link to a page of ours: no page is loaded for it, unless a new tab is wanted. */
export function followLink(event: MouseEvent) {
  const { href, target } = event.currentTarget as HTMLAnchorElement
  if (target || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  navigate(href)
}

export const go = (room: string | null) => navigate(room ? `/room/${room}` : '/')

/** Where a house can be read and changed. */
export const rulesPath = (house: string) => `/rules#${house}`

/** Where it is told how slaps are judged. */
export const JUDGE = '/judge'

/** Where one learns the game, and where one practises. */
export const LEARN = '/learn'
export const PRACTICE = '/practice'

/** Enter the same room once more: I have got a seat there, or have none any more. */
export function reenterRoom() {
  Object.assign(route, { seats: nothing, visit: route.visit + 1 })
}
