// Vibration, where the device has it.
function supported(): boolean {
  try {
    return typeof navigator.vibrate === 'function'
  } catch {
    return false
  }
}

export const canVibrate = supported()

/** Vibrates; browsers allow it only after the first touch. */
export function vibrate(pattern: number | number[]) {
  try {
    if (navigator.userActivation.hasBeenActive) navigator.vibrate(pattern)
  } catch {
    // It is not felt.
  }
}
