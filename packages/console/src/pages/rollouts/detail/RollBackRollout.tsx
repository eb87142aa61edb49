import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { rollBackRollout } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'

interface RollBackRolloutProps {
  readonly rollout: RolloutRecord
  readonly onDismiss: () => void
}

/** Restores what the changed hosts had before: those of the current wave, or all. */
export function RollBackRollout({ rollout: { uuid, name, currentWave }, onDismiss }: RollBackRolloutProps) {
  const t = useMessages(messages)
  const { rollouts } = useWharf()
  const [scope, setScope] = useState<'wave' | 'all'>('all')
  return (
    <FormModal
      title={t.rollBackTitle(name)}
      action={t.rollBack}
      leave={t.keep}
      isReady
      call={{ operation: rollBackRollout, input: { uuid, scope } }}
      onSubmit={() => rollouts.rollBack(uuid, { scope })}
      onDismiss={onDismiss}
    >
      <Box>{t.rollBackConsequences}</Box>
      <FormField label={t.restoredHosts}>
        <RadioGroup
          value={scope}
          items={[
            { value: 'all', label: t.scopeAll },
            { value: 'wave', label: t.scopeWave(currentWave ?? 1), disabled: currentWave === null },
          ]}
          onChange={({ detail }) => setScope(detail.value === 'wave' ? 'wave' : 'all')}
        />
      </FormField>
    </FormModal>
  )
}
