// Whether this device can tell fingers apart.
export const hasTouch = navigator.maxTouchPoints > 0
