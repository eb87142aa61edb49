import type { CallableOperation } from '@wharf/sdk'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import type { BulkAction } from './bulk-action.ts'

interface StateChange<R> {
  readonly operation: CallableOperation
  readonly enableConsequences: string
  readonly disableConsequences: string
  readonly change: (record: R, stateEvent: 'enable' | 'disable') => Promise<unknown>
}

/** Enables and disables the selected records. */
export function useStateActions<R extends { readonly uuid?: string; readonly state?: string }>(
  options: StateChange<R>,
): BulkAction<R>[] {
  const t = useMessages(messages)
  const { operation, enableConsequences, disableConsequences, change } = options
  return [
    {
      id: 'enable',
      label: t.enable,
      operation,
      consequences: enableConsequences,
      problem: ({ state }) => (state === 'Enabled' ? t.isEnabled : undefined),
      run: (record) => change(record, 'enable'),
      inputOf: ({ uuid }) => ({ uuid, stateEvent: 'enable' }),
    },
    {
      id: 'disable',
      label: t.disable,
      operation,
      consequences: disableConsequences,
      problem: ({ state }) => (state === 'Disabled' ? t.isDisabled : undefined),
      run: (record) => change(record, 'disable'),
      inputOf: ({ uuid }) => ({ uuid, stateEvent: 'disable' }),
    },
  ]
}
