import { changeHostState, deleteHost, type queryHost, querySoftwarePackage, reconnectHost } from '@wharf/contract'
import type { BulkAction, RecordOf } from '../../components/ResourceTable.tsx'
import { useStateActions } from '../../components/table/bulk/use-state-actions.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages as detailMessages } from './detail/messages.ts'
import { useSetLabels } from './labels/use-set-labels.tsx'
import { messages } from './messages.ts'

type Host = RecordOf<typeof queryHost>

export function useHostBulkActions(): BulkAction<Host>[] {
  const t = useMessages(messages)
  const detail = useMessages(detailMessages)
  const wharf = useWharf()
  const stateActions = useStateActions<Host>({
    operation: changeHostState,
    enableConsequences: t.enableConsequences,
    disableConsequences: detail.disableConsequences,
    change: ({ uuid = '' }, stateEvent) => wharf.hosts.changeState(uuid, { stateEvent }),
  })
  const setLabels = useSetLabels()
  return [
    setLabels,
    {
      id: 'reconnect',
      label: detail.reconnect,
      operation: reconnectHost,
      consequences: t.reconnectConsequences,
      run: ({ uuid = '' }) => wharf.hosts.reconnect(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
    ...stateActions,
    {
      id: 'delete',
      label: detail.delete,
      operation: deleteHost,
      consequences: detail.deleteConsequences,
      prepare: async ({ uuid = '' }, signal) => {
        const { total = 0 } = await wharf.call(
          querySoftwarePackage,
          { q: [`hostUuid=${uuid}`], count: true },
          { signal },
        )
        return total > 0 ? { problem: detail.hasPackages(total) } : { value: undefined }
      },
      run: ({ uuid = '' }) => wharf.hosts.delete(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
  ]
}
