// Whether the service worker stands between the page and the network.
export function controlled(): boolean {
  try {
    return !!navigator.serviceWorker.controller
  } catch {
    return false
  }
}
