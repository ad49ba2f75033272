// Whether this device has a touch screen, as far as its browser says.
function touches(): boolean {
  try {
    return navigator.maxTouchPoints > 0
  } catch {
    return false
  }
}

export const hasTouch = touches()
