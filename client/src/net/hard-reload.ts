// The newest version of the page, past whatever this browser has kept of an older one.

export async function hardReload() {
  const workers = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []
  await Promise.all(workers.map((worker) => worker.unregister()))
  for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name)
  location.reload()
}
