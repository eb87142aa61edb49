import { applyMode, Mode } from '@cloudscape-design/global-styles'
import { useSyncExternalStore } from 'react'
import { storedChoice } from './stored-choice.ts'

export const appearances = ['light', 'dark', 'system'] as const
export type Appearance = (typeof appearances)[number]

const choice = storedChoice('appearance', appearances, () => 'system')
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

const isDark = (): boolean => (choice.read() === 'system' ? systemIsDark.matches : choice.read() === 'dark')

const apply = (): void => applyMode(isDark() ? Mode.Dark : Mode.Light)

apply()
choice.subscribe(apply)
systemIsDark.addEventListener('change', apply)

function subscribe(changed: () => void): () => void {
  const end = choice.subscribe(changed)
  systemIsDark.addEventListener('change', changed)
  return () => {
    end()
    systemIsDark.removeEventListener('change', changed)
  }
}

/** The choice of the user; `system` follows the preference of the system. */
export const useAppearance = (): Appearance => useSyncExternalStore(subscribe, choice.read)

/** Whether the page is dark now. */
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark)

export const chooseAppearance = choice.write
