import type { CSSProperties } from 'react'
import { styleKey, type TextStyle } from './styled-spans.ts'
import { cssColour, type Rgb, readableColour } from './terminal-colours.ts'

/** The backgrounds of the log in job-log.css. */
export const logBackgrounds = { light: 0xf9f9fa, dark: 0x0f141a } as const
const logTexts = { light: 0x0f141a, dark: 0xdedee3 } as const

type Theme = keyof typeof logBackgrounds

function coloursIn(theme: Theme, { colour, background, isInverse }: TextStyle): { text: Rgb; behind: Rgb | undefined } {
  const own = colour ?? (isInverse ? logTexts[theme] : undefined)
  const [text, behind] = isInverse ? [background ?? logBackgrounds[theme], own] : [own, background]
  return { text: readableColour(text ?? logTexts[theme], behind ?? logBackgrounds[theme]), behind }
}

/** A log has few styles, in many lines. */
const known = new Map<string, CSSProperties>()
const maxKnown = 1000

/** The colours of both themes as variables, between which job-log.css chooses. */
export function spanStyle(style: TextStyle): CSSProperties {
  const key = styleKey(style)
  const result = known.get(key) ?? newSpanStyle(style)
  if (known.size >= maxKnown) known.clear()
  known.set(key, result)
  return result
}

function newSpanStyle(style: TextStyle): CSSProperties {
  const light = coloursIn('light', style)
  const dark = coloursIn('dark', style)
  return {
    '--text-light': cssColour(light.text),
    '--text-dark': cssColour(dark.text),
    ...(light.behind === undefined ? {} : { '--behind-light': cssColour(light.behind) }),
    ...(dark.behind === undefined ? {} : { '--behind-dark': cssColour(dark.behind) }),
    ...(style.isBold ? { fontWeight: 700 } : {}),
    ...(style.isItalic ? { fontStyle: 'italic' } : {}),
    ...(style.isUnderlined ? { textDecoration: 'underline' } : {}),
  } as CSSProperties
}
