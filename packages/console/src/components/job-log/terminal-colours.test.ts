import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logBackgrounds } from './span-style.ts'
import { contrast, cssColour, paletteColour, readableColour } from './terminal-colours.ts'

test('the palette has names, a cube and greys', () => {
  assert.deepEqual([1, 16, 21, 196, 231, 232, 255].map(paletteColour).map(cssColour), [
    '#cd3131',
    '#000000',
    '#0000ff',
    '#ff0000',
    '#ffffff',
    '#080808',
    '#eeeeee',
  ])
})

test('contrast is that of WCAG', () => {
  assert.equal(contrast(0x000000, 0xffffff), 21)
  assert.equal(contrast(0xffffff, 0xffffff), 1)
  assert.ok(Math.abs(contrast(0x777777, 0xffffff) - 4.48) < 0.01)
})

test('every colour is readable in both themes, and on other colours', () => {
  const palette = Array.from({ length: 256 }, (_, index) => paletteColour(index))
  for (const background of [...Object.values(logBackgrounds), ...palette.filter((_, index) => index % 5 === 0)])
    for (const colour of palette)
      assert.ok(contrast(readableColour(colour, background), background) >= 4.5, `${colour} on ${background}`)
})

test('a readable colour stays as it is', () => {
  assert.equal(readableColour(0x0000ff, 0xffffff), 0x0000ff)
  assert.equal(readableColour(0xffff00, 0x000000), 0xffff00)
})
