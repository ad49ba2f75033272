// The colours of words on the felt, which no tool measures: it is a gradient.
import { expect, test } from 'vitest'
import css from './base.css?raw'

const colour = (name: string) => css.match(new RegExp(`--${name}: (#\\w{6})`))![1]!
const brightest = css.match(/\.felt \{.*?(#\w{6}) 0%/s)![1]!

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}
const contrast = (light: string, dark: string) => (luminance(light) + 0.05) / (luminance(dark) + 0.05)

test('contrast is what the standard says of black, white and the palest grey that may be read on white', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
})

test.each(['gold', 'sand', 'good', 'bad'])('words in %s can be read where the felt is brightest', (name) => {
  expect(contrast(colour(name), brightest)).toBeGreaterThanOrEqual(4.5)
})
