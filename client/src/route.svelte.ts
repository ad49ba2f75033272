// Which page the address names: `/` is the start, `/room/CODE` a table; the others are listed in App.svelte. An address
// can carry a seat, `/room/CODE#seat=TOKEN`: it is taken, and the secret is out of sight before anything is shown.
import { keepSeat } from './net/rooms'

interface Place {
  page: string
  code: string | null
}

function place(): Place {
  const [, page = '', name = ''] = location.pathname.split('/')
  return { page, code: name ? decodeURIComponent(name).toUpperCase() : null }
}

/** Whether the address has brought a seat. */
function brought(code: string | null): boolean {
  const token = /^#seat=(.+)$/.exec(location.hash)?.[1]
  if (!token || !code) return false
  history.replaceState(null, '', location.pathname)
  keepSeat(code, decodeURIComponent(token))
  return true
}

const first = place()
brought(first.code)

/** `visit` counts how often a room was entered anew: with another seat it is another visit. */
export const route = $state({ ...first, visit: 0 })

function read() {
  Object.assign(route, place())
  if (brought(route.code)) route.visit++
}

addEventListener('popstate', read)

export function to(path: string) {
  history.pushState(null, '', path)
  read()
}

/** A click on a link to a page of ours: no page is loaded for it, unless a new tab is wanted. */
export function follow(event: MouseEvent) {
  const { href, target } = event.currentTarget as HTMLAnchorElement
  if (target || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  to(href)
}

export const go = (room: string | null) => to(room ? `/room/${room}` : '/')

/** Where a house can be read and changed. */
export const rulesOf = (house: string) => `/rules#${house}`

/** Where it is told how slaps are judged. */
export const JUDGE = '/judge'

/** Where one learns the game, and where one practises. */
export const LEARN = '/learn'
export const PRACTICE = '/practice'

/** Enter the same room once more: I have got a seat there, or have none any more. */
export function enterAgain() {
  route.visit++
}
