// Loads the newest version of the page: unregisters service workers, empties the caches, reloads.

export async function hardReload() {
  try {
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? []
    await Promise.all(workers.map((worker) => worker.unregister()))
    for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name)
  } catch {
    // What cannot be read keeps no old page.
  }
  location.reload()
}
