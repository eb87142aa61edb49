/** A colour as 0xRRGGBB. */
export type Rgb = number

/** The 16 named colours; those of Visual Studio Code. */
const named: readonly Rgb[] = [
  0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5, 0x666666, 0xf14c4c, 0x23d18b,
  0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff,
]

/** The steps of the cube of 6 × 6 × 6 colours. */
const cube = [0, 95, 135, 175, 215, 255]

export const rgb = (red: number, green: number, blue: number): Rgb => (red << 16) | (green << 8) | blue

/** One of the 256 colours of a terminal: 16 names, the cube, and 24 greys. */
export function paletteColour(index: number): Rgb {
  if (index < 16) return named[index] ?? 0
  const at = (divisor: number): number => cube[Math.floor((index - 16) / divisor) % 6] ?? 0
  if (index < 232) return rgb(at(36), at(6), at(1))
  const grey = 8 + 10 * (index - 232)
  return rgb(grey, grey, grey)
}

const channels = (colour: Rgb): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255]

/** The relative luminance of WCAG. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of WCAG, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** WCAG AA for text. */
const minContrast = 4.5
const white = 0xffffff
const black = 0x000000
const mixSteps = 20

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const target = channels(to)
  const [red = 0, green = 0, blue = 0] = channels(from).map((value, index) =>
    Math.round(value + ((target[index] ?? 0) - value) * share),
  )
  return rgb(red, green, blue)
}

/** The colour, made lighter or darker as far as text of this colour on this background needs. */
export function readableColour(colour: Rgb, background: Rgb): Rgb {
  const to = contrast(white, background) > contrast(black, background) ? white : black
  for (let step = 0; step < mixSteps; step++) {
    const mixed = mix(colour, to, step / mixSteps)
    if (contrast(mixed, background) >= minContrast) return mixed
  }
  return to
}

export const cssColour = (colour: Rgb): string => `#${colour.toString(16).padStart(6, '0')}`
