// The router: `/` is the start page, `/room/CODE` a table; the others are listed in App.svelte. A link can bring seats,
// `/room/CODE#seat=PASS`: the pass is removed from the address before anything is shown, and redeemed if the player agrees.
import { pushAddress, replaceAddress } from './browser/address'
import { parseRoomCode } from './net/room-code'
import { BASE, at } from './base'

interface Place {
  page: string
  code: string | null
}

function place(path = location.pathname): Place {
  const [, page = '', name = ''] = path.slice(BASE.length).split('/')
  return { page, code: name ? named(page, decoded(name)) : null }
}

/** The text of a part of an address; as it is if no server would understand it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A room's code, however it is written in the address (`wolf-4821`), else the name in it, such as a game's. */
function named(page: string, name: string): string {
  const { code, complete } = parseRoomCode(name)
  return complete && ['room', 'tv', 'arena'].includes(page) ? code : name.toUpperCase()
}

/** Takes the pass out of the address. Anyone can send a link, so the player is asked before it is redeemed. */
function takePass(code: string | null): string | null {
  const pass = /^#seat=(.+)$/.exec(location.hash)?.[1]
  if (!pass || !code) return null
  replaceAddress(location.pathname)
  return pass
}

const first = place()

/** `visit` counts how often a room was re-entered, as with another seat; `pass` is one that the player has to be asked about. */
export const route = $state({ ...first, visit: 0, pass: takePass(first.code) })

function read(path = location.pathname) {
  Object.assign(route, place(path))
  route.pass = takePass(route.code)
  if (route.pass) route.visit++
}

addEventListener('popstate', () => read())

export function navigate(path: string) {
  pushAddress(path)
  read(new URL(path, location.origin).pathname)
}

/** Handles a click on an internal link without a page load, unless a new tab is wanted. */
export function followLink(event: MouseEvent) {
  const { href, target } = event.currentTarget as HTMLAnchorElement
  if (target || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  navigate(href)
}

export const go = (room: string | null) => navigate(at(room ? `/room/${room}` : '/'))

/** The page that shows and edits a house. */
export const rulesPath = (house: string) => at(`/rules#${house}`)

/** The page about how slaps are judged. */
export const JUDGE = at('/judge')

/** The lessons, and the reaction practice. */
export const LEARN = at('/learn')
export const PRACTICE = at('/practice')

/** Shows the same page again from its beginning, and enters the same room again, as after a seat was taken or lost. */
export function reenterRoom() {
  Object.assign(route, { pass: null, visit: route.visit + 1 })
}
