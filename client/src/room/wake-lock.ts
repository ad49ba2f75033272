// Keeps the screen on while somebody plays or watches, where the browser can.

/** From now on, until the answer is called. A lock is lost when the page is hidden, and asked for again. */
export function holdWakeLock(): () => void {
  let lock: WakeLockSentinel | null = null
  let over = false
  async function ask() {
    if (document.hidden || !navigator.wakeLock) return
    try {
      const given = await navigator.wakeLock.request('screen')
      if (over) void given.release()
      else lock = given
    } catch {
      // A device that saves its battery says no; the game goes on all the same.
    }
  }
  const look = () => void ask()
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    over = true
    document.removeEventListener('visibilitychange', look)
    void lock?.release()
  }
}
