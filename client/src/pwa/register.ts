// Registers the service worker, which keeps the page available without a network.
import { at } from '../base'

const WORKER = at('/sw.js')

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string }
}

/** The worker's URL as a trusted type: the page's security policy allows only this policy name, and it only this URL. */
function trustedWorkerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies }
  const createScriptURL = (url: string) => {
    if (url !== WORKER) throw new TypeError(`${url} is no worker of this page`)
    return url
  }
  return trustedTypes?.createPolicy('ratscrew-worker', { createScriptURL }).createScriptURL(WORKER) ?? WORKER
}

/** Registers the service worker. A newer one may take over now: this page has just loaded, and has no old parts. */
export async function registerServiceWorker() {
  try {
    const registration = await navigator.serviceWorker.register(trustedWorkerUrl(), { updateViaCache: 'none' })
    registration.waiting?.postMessage('begin')
  } catch {
    // Without it a page only needs its server.
  }
}

/** Whether the server does not answer. */
export const isServerUnreachable = (): Promise<boolean> =>
  fetch(at('/api/health')).then(
    ({ ok }) => !ok,
    () => true,
  )
