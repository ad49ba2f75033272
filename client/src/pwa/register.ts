// Registers the service worker, which keeps the page available without a network.

const WORKER = '/sw.js'

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => string }
}

/** Under the one name that the page's security policy lets through, the one address that it may make a script of. */
function trustedWorkerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies }
  const createScriptURL = (url: string) => {
    if (url !== WORKER) throw new TypeError(`${url} is no worker of this page`)
    return url
  }
  return trustedTypes?.createPolicy('ratscrew-worker', { createScriptURL }).createScriptURL(WORKER) ?? WORKER
}

/** Lets the worker keep the page. A newer one may take over now: this page has just begun, and has no old parts. */
export async function registerServiceWorker() {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register(trustedWorkerUrl(), { updateViaCache: 'none' }).catch(() => null)
  registration?.waiting?.postMessage('begin') // there is none where the browser keeps nothing
}

/** Whether the page came from the worker, and its server does not answer. */
export async function isServerUnreachable(): Promise<boolean> {
  if (!navigator.serviceWorker?.controller) return false
  return fetch('/api/health').then(
    ({ ok }) => !ok,
    () => true,
  )
}
