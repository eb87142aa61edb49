import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { stopRollout } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'

interface StopRolloutProps {
  readonly rollout: RolloutRecord
  readonly onDismiss: () => void
}

/** Stops a rollout: running hosts finish, or are cancelled and undone. */
export function StopRollout({ rollout: { uuid, name }, onDismiss }: StopRolloutProps) {
  const t = useMessages(messages)
  const { rollouts } = useWharf()
  const [running, setRunning] = useState<'finish' | 'cancel'>('finish')
  return (
    <FormModal
      title={t.stopTitle(name)}
      action={t.stop}
      leave={t.keep}
      isReady
      call={{ operation: stopRollout, input: { uuid, running } }}
      onSubmit={() => rollouts.stop(uuid, { running })}
      onDismiss={onDismiss}
    >
      <Box>{t.stopConsequences}</Box>
      <FormField label={t.runningHosts}>
        <RadioGroup
          value={running}
          items={(['finish', 'cancel'] as const).map((value) => ({ value, label: t.stopModes[value] }))}
          onChange={({ detail }) => setRunning(detail.value === 'cancel' ? 'cancel' : 'finish')}
        />
      </FormField>
    </FormModal>
  )
}
