import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function DeleteVm({ uuid, name, onDismiss }: { uuid: string; name: string; onDismiss: () => void }) {
  const t = useMessages(messages)
  const { migration } = useWharf()
  const [deleteMode, setDeleteMode] = useState<'Permissive' | 'Enforcing'>('Permissive')
  return (
    <Confirm
      title={t.deleteTitle(name)}
      action={t.delete}
      consequences={
        <SpaceBetween size="m">
          <Box>{t.deleteMeans}</Box>
          <FormField label={t.deleteMode}>
            <RadioGroup
              value={deleteMode}
              onChange={({ detail }) => setDeleteMode(detail.value === 'Enforcing' ? 'Enforcing' : 'Permissive')}
              items={[
                { value: 'Permissive', label: t.permissive, description: t.permissiveMeans },
                { value: 'Enforcing', label: t.enforcing, description: t.enforcingMeans },
              ]}
            />
          </FormField>
        </SpaceBetween>
      }
      onConfirm={() => migration.deleteVmInstance(uuid, { deleteMode })}
      onDismiss={onDismiss}
    />
  )
}
