// Whether this device can tell fingers apart.
export const touch = navigator.maxTouchPoints > 0
