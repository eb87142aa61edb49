import { applyMode, Mode } from '@cloudscape-design/global-styles'
import { useState } from 'react'
import { storedChoice } from '../browser/stored-choice.ts'

const choice = storedChoice('appearance', ['light', 'dark'] as const, () =>
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
)

const apply = (appearance: 'light' | 'dark'): void => applyMode(appearance === 'dark' ? Mode.Dark : Mode.Light)

apply(choice.read())

/** The stored choice of the user, or the preference of the system. */
export function useAppearance(): ['light' | 'dark', (next: 'light' | 'dark') => void] {
  const [appearance, set] = useState(choice.read)
  return [
    appearance,
    (next) => {
      choice.write(next)
      apply(next)
      set(next)
    },
  ]
}
