import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deleteMigrateVmInstance } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { type DeleteMode, DeleteModeChoice } from './DeleteModeChoice.tsx'
import { messages } from './messages.ts'

export function DeleteVm({ uuid, name, onDismiss }: { uuid: string; name: string; onDismiss: () => void }) {
  const t = useMessages(messages)
  const { migration } = useWharf()
  const [deleteMode, setDeleteMode] = useState<DeleteMode>('Permissive')
  return (
    <Confirm
      title={t.deleteTitle(name)}
      action={t.delete}
      consequences={
        <SpaceBetween size="m">
          <Box>{t.deleteConsequences}</Box>
          <DeleteModeChoice deleteMode={deleteMode} onChange={setDeleteMode} />
        </SpaceBetween>
      }
      call={{ operation: deleteMigrateVmInstance, input: { uuid, deleteMode } }}
      onConfirm={() => migration.deleteVmInstance(uuid, { deleteMode })}
      onDismiss={onDismiss}
    />
  )
}
