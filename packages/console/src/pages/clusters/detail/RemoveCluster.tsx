import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { Confirm } from '../../../parts/Confirm.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

interface RemoveClusterProps {
  readonly uuid: string
  readonly name: string
  readonly isBusy: boolean
  readonly onDismiss: () => void
}

/** A cluster that a job works on can be removed by force only. */
export function RemoveCluster({ uuid, name, isBusy, onDismiss }: RemoveClusterProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const [deleteMode, setDeleteMode] = useState<'Permissive' | 'Enforcing'>(isBusy ? 'Enforcing' : 'Permissive')
  return (
    <Confirm
      title={say.removeTitle(name)}
      name={name}
      action={say.remove}
      consequences={
        <SpaceBetween size="m">
          <Box>{say.removeMeans}</Box>
          <FormField label={say.removeMode}>
            <RadioGroup
              value={deleteMode}
              onChange={({ detail }) => setDeleteMode(detail.value === 'Enforcing' ? 'Enforcing' : 'Permissive')}
              items={[
                {
                  value: 'Permissive',
                  label: say.permissive,
                  description: isBusy ? say.isRunning : say.permissiveMeans,
                  disabled: isBusy,
                },
                { value: 'Enforcing', label: say.enforcing, description: say.enforcingMeans },
              ]}
            />
          </FormField>
        </SpaceBetween>
      }
      onConfirm={async () => {
        await wharf.clusterPlugins.remove(uuid, { deleteMode })
        go(linkTo(['clusters']), { replace: true })
      }}
      onDismiss={onDismiss}
    />
  )
}
