// The device's share sheet.
function supported(): boolean {
  try {
    return typeof navigator.share === 'function'
  } catch {
    return false
  }
}

export const canShare = supported()

/** Opens the share sheet; false if it cannot be opened. To close it without sharing is no fault. */
export async function share(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what)
    return true
  } catch (error) {
    return error instanceof Error && error.name === 'AbortError'
  }
}
