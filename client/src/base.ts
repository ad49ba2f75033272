// Where this page is served: below a path of its host, such as `/ratscrew`, or at the top. Unit tests have no page.

/** The path that all addresses of this server begin with; '' at the top of its host. */
export const BASE = globalThis.document?.documentElement?.dataset.base ?? ''

/** The address of this server, without a slash at the end. */
export const SITE = `${globalThis.location?.origin}${BASE}`

/** The address of a page or a file of this server, by its path there: `/rules`. */
export const at = (path: string) => BASE + path
