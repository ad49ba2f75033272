// The service worker: caches the page, never the API. Documents come from the server as long as it answers, so that
// nobody plays with an old version; scripts and styles, whose names change with their contents, come from the cache.
/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope
declare const __VERSION__: string
declare const __FILES__: string[]

const BASE = location.pathname.replace(/\/sw\.js$/, '') // below which path this server lies
const FILES = new Set(__FILES__.map((file) => BASE + file))
const SHELL = `shell ${__VERSION__}${BASE}`
const TIMEOUT_MS = 4000 // then the network counts as down
const AWAY = new Set([502, 503, 504]) // a proxy answers for a server that is away

self.addEventListener('install', (event) => event.waitUntil(precache()))

self.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches()))

/** A page that has just loaded lets this version take over; it does so only if no other page is open with the old one. */
self.addEventListener('message', (event) => {
  if (event.data === 'begin') event.waitUntil(activateIfAlone())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith(`${BASE}/api`)) return
  if (request.mode === 'navigate') event.respondWith(networkFirst(request))
  else if (FILES.has(pathname)) event.respondWith(fromCache(request))
})

async function networkFirst(request: Request): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS)
  const answer = await fetch(request, { signal: timeout.signal }).catch(() => null)
  clearTimeout(timer)
  if (answer && !AWAY.has(answer.status)) return answer
  return (await caches.match(`${BASE}/index.html`)) ?? answer ?? Response.error()
}

const fromCache = async (request: Request) => (await caches.match(request, { cacheName: SHELL })) ?? fetch(request)

async function precache() {
  const shell = await caches.open(SHELL)
  await shell.addAll([...FILES])
}

async function deleteOldCaches() {
  const isOwn = (name: string) => name.replace(/^shell \w+/, '') === BASE // another server may be below another path
  for (const name of await caches.keys()) if (name !== SHELL && isOwn(name)) await caches.delete(name)
}

async function activateIfAlone() {
  const pages = await self.clients.matchAll({ includeUncontrolled: true })
  if (pages.length <= 1) await self.skipWaiting()
}

export {} // makes this a module, with a `self` of its own
