import { type AnswerOf, deleteMigrateVmInstance, type getMigrateVmInstances } from '@wharf/contract'
import { useState } from 'react'
import type { BulkAction } from '../../components/table/bulk/bulk-action.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { type DeleteMode, DeleteModeChoice } from './DeleteModeChoice.tsx'
import { messages } from './messages.ts'

export type Vm = AnswerOf<typeof getMigrateVmInstances>['gatewayVmInstances'][number]

/** Deletes the selected virtual machines; `problem` is also the reason that disables the button of one. */
export function useDeleteVms(problem: (vm: Vm) => string | undefined): BulkAction<Vm> {
  const t = useMessages(messages)
  const { migration } = useWharf()
  const [deleteMode, setDeleteMode] = useState<DeleteMode>('Permissive')
  return {
    id: 'delete',
    label: t.delete,
    operation: deleteMigrateVmInstance,
    consequences: t.deleteConsequences,
    form: <DeleteModeChoice deleteMode={deleteMode} onChange={setDeleteMode} />,
    problem,
    inputOf: ({ uuid }) => ({ uuid, deleteMode }),
    run: ({ uuid }) => migration.deleteVmInstance(uuid, { deleteMode }),
  }
}
