import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { removeClusterPlugin } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface RemoveClusterProps {
  readonly uuid: string
  readonly name: string
  readonly isBusy: boolean
  readonly onDismiss: () => void
}

/** While a job runs on the cluster, only Enforcing is possible. */
export function RemoveCluster({ uuid, name, isBusy, onDismiss }: RemoveClusterProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [deleteMode, setDeleteMode] = useState<'Permissive' | 'Enforcing'>(isBusy ? 'Enforcing' : 'Permissive')
  return (
    <Confirm
      title={t.removeTitle(name)}
      name={name}
      action={t.remove}
      consequences={
        <SpaceBetween size="m">
          <Box>{t.removeConsequences}</Box>
          <FormField label={t.removeMode}>
            <RadioGroup
              value={deleteMode}
              onChange={({ detail }) => setDeleteMode(detail.value === 'Enforcing' ? 'Enforcing' : 'Permissive')}
              items={[
                {
                  value: 'Permissive',
                  label: t.permissive,
                  description: isBusy ? t.isRunning : t.permissiveHelp,
                  disabled: isBusy,
                },
                { value: 'Enforcing', label: t.enforcing, description: t.enforcingHelp },
              ]}
            />
          </FormField>
        </SpaceBetween>
      }
      call={{ operation: removeClusterPlugin, input: { uuid, deleteMode } }}
      onConfirm={async () => {
        await wharf.clusterPlugins.remove(uuid, { deleteMode })
        navigate(linkTo(['clusters']), { replace: true })
      }}
      onDismiss={onDismiss}
    />
  )
}
