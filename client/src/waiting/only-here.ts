/** Whether the links of this page lead nowhere on other devices. */
export const onlyHere = /^(localhost|127\.|\[::1\])/.test(location.host)
