import Button from '@cloudscape-design/components/button'
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  queryMaintenanceWindow,
  updateMaintenanceWindow,
} from '@wharf/contract'
import { useState } from 'react'
import { useDialogLink } from '../../../browser/use-dialog-link.ts'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../../components/ResourceTable.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { NextOpening } from './NextOpening.tsx'
import { WindowEditor, type WindowRecord } from './WindowEditor.tsx'

type Window = RecordOf<typeof queryMaintenanceWindow>

export function WindowTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const { maintenanceWindows } = useWharf()
  const refused = useRefusal()
  const refusal = refused(createMaintenanceWindow)
  const creation = useDialogLink('create')
  const [edited, setEdited] = useState<WindowRecord>()
  const remove: BulkAction<Window> = {
    id: 'delete',
    label: t.delete,
    operation: deleteMaintenanceWindow,
    consequences: t.deleteConsequences,
    run: ({ uuid = '' }) => maintenanceWindows.delete(uuid, {}),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const create = (
    <Button variant="primary" {...refusal} onClick={creation.open}>
      {t.create}
    </Button>
  )
  return (
    <>
      {creation.isOpen ? <NotAllowed refusal={refusal} /> : null}
      <ResourceTable
        operation={queryMaintenanceWindow}
        title={t.title}
        columns={useColumns()}
        search={search}
        path={['rollouts', 'windows']}
        bulkActions={[remove]}
        hasTags
        actions={create}
        empty={t.empty}
        first={create}
        rowActions={{
          label: t.actions,
          width: 110,
          cell: (window) => (
            <Button
              variant="inline-link"
              {...refused(updateMaintenanceWindow)}
              ariaLabel={t.editWindow(window.name ?? '')}
              onClick={() => setEdited(window as WindowRecord)}
            >
              {t.edit}
            </Button>
          ),
        }}
      />
      {creation.isOpen && !refusal ? <WindowEditor onDismiss={creation.close} /> : null}
      {edited ? <WindowEditor window={edited} onDismiss={() => setEdited(undefined)} /> : null}
    </>
  )
}

function useColumns(): Column<Window>[] {
  const t = useMessages(messages)
  const format = useFormat()
  const minutes = (count = 0): string => format.duration(count * 60_000)
  return [
    { field: 'name', label: t.name, width: 120 },
    {
      field: 'uuid',
      label: t.next,
      width: 200,
      isDerived: true,
      isReadPerCell: true,
      lines: 2,
      cell: (window) => <NextOpening cron={window.cron ?? ''} timeZone={window.timeZone ?? ''} />,
      text: () => '',
    },
    { field: 'cron', label: t.cron, width: 145 },
    { field: 'timeZone', label: t.timeZone, width: 150 },
    {
      field: 'durationMinutes',
      label: t.duration,
      isMeasure: true,
      width: 125,
      cell: ({ durationMinutes }) => minutes(durationMinutes),
    },
    {
      field: 'cutoffMinutes',
      label: t.cutoff,
      isMeasure: true,
      isOptional: true,
      cell: ({ cutoffMinutes }) => minutes(cutoffMinutes),
    },
    {
      field: 'selector',
      label: t.hosts,
      width: 120,
      isDerived: true,
      cell: ({ selector = [] }) => (selector.length === 0 ? t.everyHost : selector.join(', ')),
      text: ({ selector = [] }) => selector.join(', '),
    },
  ]
}
