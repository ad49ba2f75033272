// Whether this device has a touch screen.
export const hasTouch = navigator.maxTouchPoints > 0
