import type { CallableOperation } from '@wharf/sdk'
import type { RecordAction } from './RecordActions.tsx'

interface StateMessages {
  readonly enable: string
  readonly disable: string
  readonly disableTitle: (name: string) => string
  readonly disableConsequences: string
}

interface StateRecord {
  readonly uuid: string
  readonly name: string
  readonly state: string | undefined
  readonly operation: CallableOperation
  readonly change: (stateEvent: 'enable' | 'disable') => Promise<unknown>
}

/** Enables a disabled record; disables any other after a confirmation. */
export const stateAction = (t: StateMessages, { uuid, name, state, operation, change }: StateRecord): RecordAction =>
  state === 'Disabled'
    ? {
        label: t.enable,
        operation,
        call: { operation, input: { uuid, stateEvent: 'enable' } },
        run: () => change('enable'),
      }
    : {
        label: t.disable,
        operation,
        call: { operation, input: { uuid, stateEvent: 'disable' } },
        confirm: { title: t.disableTitle(name), consequences: t.disableConsequences },
        run: () => change('disable'),
      }
