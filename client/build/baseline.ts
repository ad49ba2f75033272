// The oldest browsers that the page is built for; README names them. Browsers of 2022's televisions are the oldest: Tizen 6.5
// has the Chromium 85. What they lack is in src/polyfills.ts, or has a fallback.
import { parse } from 'acorn'
import type { Plugin } from 'vite'

/** The edition of ECMAScript whose syntax all scripts have. */
export const ECMASCRIPT = 2021
export const SCRIPT_TARGET = `es${ECMASCRIPT}` as const

/** The browsers whose styles the build may not go beyond, where it can write the same in an older way. */
export const STYLE_TARGET = ['chrome85', 'firefox92', 'safari15']

/** Where a script has syntax that is newer than the baseline; null if it has none. */
export function newerSyntax(script: string): string | null {
  try {
    parse(script, { ecmaVersion: ECMASCRIPT, sourceType: 'module' })
    return null
  } catch (error) {
    return String(error)
  }
}

/** Fails a build whose scripts the oldest browsers cannot read. */
export function baseline(): Plugin {
  return {
    name: 'baseline',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const part of Object.values(bundle)) {
          const found = part.type === 'chunk' && newerSyntax(part.code)
          if (found) this.error(`${part.fileName} is newer than ECMAScript ${ECMASCRIPT}: ${found}`)
        }
      },
    },
  }
}
