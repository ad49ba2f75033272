// The whole screen, where the browser gives it.
export function canFillScreen(): boolean {
  try {
    return document.fullscreenEnabled && typeof document.documentElement.requestFullscreen === 'function'
  } catch {
    return false
  }
}

export async function toggleFullScreen() {
  try {
    await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  } catch {
    // Refused: the page stays as large as it is.
  }
}
