import type { Operation } from '@wharf/contract'
import type { RecordAction } from './RecordActions.tsx'

interface StateMessages {
  readonly enable: string
  readonly disable: string
  readonly disableTitle: (name: string) => string
  readonly disableMeans: string
}

interface StateRecord {
  readonly name: string
  readonly state: string | undefined
  readonly operation: Pick<Operation, 'permission'>
  readonly change: (stateEvent: 'enable' | 'disable') => Promise<unknown>
}

/** Enables a disabled record; disables any other after a confirmation. */
export const stateAction = (t: StateMessages, { name, state, operation, change }: StateRecord): RecordAction =>
  state === 'Disabled'
    ? { label: t.enable, operation, run: () => change('enable') }
    : {
        label: t.disable,
        operation,
        confirm: { title: t.disableTitle(name), consequences: t.disableMeans },
        run: () => change('disable'),
      }
