import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { Confirm } from '../../parts/Confirm.tsx'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

export function DeleteVm({ uuid, name, onDismiss }: { uuid: string; name: string; onDismiss: () => void }) {
  const say = useWords(words)
  const { migration } = useWharf()
  const [deleteMode, setDeleteMode] = useState<'Permissive' | 'Enforcing'>('Permissive')
  return (
    <Confirm
      title={say.deleteTitle(name)}
      action={say.delete}
      consequences={
        <SpaceBetween size="m">
          <Box>{say.deleteMeans}</Box>
          <FormField label={say.deleteMode}>
            <RadioGroup
              value={deleteMode}
              onChange={({ detail }) => setDeleteMode(detail.value === 'Enforcing' ? 'Enforcing' : 'Permissive')}
              items={[
                { value: 'Permissive', label: say.permissive, description: say.permissiveMeans },
                { value: 'Enforcing', label: say.enforcing, description: say.enforcingMeans },
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
