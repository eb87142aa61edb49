export type Shortcut = 'find' | 'filter' | 'keys'

interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

interface KeyPlace {
  readonly isMac: boolean
  /** The focus is in a field that receives the key as text. */
  readonly isTyping: boolean
  readonly isInDialog: boolean
}

/** On a Mac, Ctrl-K deletes the rest of a line in a text field. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** Single keys never work while typing; no key works in a dialog. */
export function shortcutOf(pressed: PressedKey, place: KeyPlace): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed
  if (place.isInDialog || altKey) return undefined
  const [main, other] = place.isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (main && !other && !shiftKey && key.toLowerCase() === 'k') return 'find'
  if (main || other || place.isTyping) return undefined
  return ({ '/': 'filter', '?': 'keys' } as const)[key]
}
