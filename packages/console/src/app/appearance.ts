import { applyMode, Mode } from '@cloudscape-design/global-styles'
import { storedChoice } from '../browser/stored-choice.ts'
import { valueStore } from '../browser/value-store.ts'

export type Appearance = 'light' | 'dark'

const choice = storedChoice<Appearance>('appearance', ['light', 'dark'], () =>
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
)

const apply = (appearance: Appearance): void => applyMode(appearance === 'dark' ? Mode.Dark : Mode.Light)

const store = valueStore(choice.read())
apply(store.read())

function set(appearance: Appearance): void {
  choice.write(appearance)
  apply(appearance)
  store.set(appearance)
}

/** The stored choice of the user, or the preference of the system. */
export const useAppearance = (): [Appearance, (next: Appearance) => void] => [store.use(), set]
