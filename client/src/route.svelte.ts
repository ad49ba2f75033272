// Which page the address names: `/` is the start, `/room/CODE` a table.

const roomOf = (path: string) => /^\/room\/([^/]+)\/?$/.exec(path)?.[1]?.toUpperCase() ?? null

export const route = $state({ room: roomOf(location.pathname) })

addEventListener('popstate', () => {
  route.room = roomOf(location.pathname)
})

export function go(room: string | null) {
  history.pushState(null, '', room ? `/room/${room}` : '/')
  route.room = room
}
