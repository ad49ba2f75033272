// Keeps the screen on while somebody plays or watches, where the browser can.

/** Holds a wake lock until the returned function is called. Browsers release it when the page is hidden; it is requested again. */
export function holdWakeLock(): () => void {
  let lock: WakeLockSentinel | null = null
  let over = false
  async function ask() {
    if (document.hidden) return
    try {
      const given = await navigator.wakeLock.request('screen')
      if (over) void release(given)
      else lock = given
    } catch {
      // Denied, for example to save the battery: the game works without it.
    }
  }
  const look = () => void ask()
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    over = true
    document.removeEventListener('visibilitychange', look)
    if (lock) void release(lock)
  }
}

const release = async (lock: WakeLockSentinel) => lock.release().catch(() => {})
