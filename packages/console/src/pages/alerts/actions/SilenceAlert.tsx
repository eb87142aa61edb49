import DateInput from '@cloudscape-design/components/date-input'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import TimeInput from '@cloudscape-design/components/time-input'
import { useState } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { type SilenceChoice, silenceEnd } from './silence-end.ts'

interface SilenceAlertProps {
  readonly uuid: string
  readonly name: string
  readonly onDismiss: () => void
}

export function SilenceAlert({ uuid, name, onDismiss }: SilenceAlertProps) {
  const t = useMessages(messages)
  const { alerts } = useWharf()
  const [choice, setChoice] = useState<SilenceChoice>('hour')
  const [date, setDate] = useState('')
  const [time, setTime] = useState('')
  const [comment, setComment] = useState('')
  const ended = silenceEnd(choice, { date, time }, Date.now())
  const problem = 'problem' in ended ? t.problems[ended.problem] : undefined
  const submit = async (): Promise<void> => {
    // again, because a duration counts from the submission
    const current = silenceEnd(choice, { date, time }, Date.now())
    if ('end' in current) await alerts.silence(uuid, { until: current.end.toISOString(), comment })
  }
  return (
    <FormModal
      title={t.silenceTitle(name)}
      action={t.silence}
      isReady={problem === undefined && comment.trim() !== ''}
      {...(problem !== undefined && { notReady: problem })}
      onSubmit={submit}
      onDismiss={onDismiss}
    >
      <div>{t.silenceMeans}</div>
      <FormField label={t.duration}>
        <RadioGroup
          value={choice}
          items={(['hour', 'fourHours', 'day', 'until'] as const).map((value) => ({
            value,
            label: t.durations[value],
          }))}
          onChange={({ detail }) => setChoice(detail.value as SilenceChoice)}
        />
      </FormField>
      {choice === 'until' ? (
        <SpaceBetween direction="horizontal" size="s">
          <FormField label={t.date} constraintText={t.dateForm}>
            <DateInput value={date} placeholder={t.dateForm} onChange={({ detail }) => setDate(detail.value)} />
          </FormField>
          <FormField label={t.time} constraintText={t.timeForm}>
            <TimeInput
              value={time}
              format="hh:mm"
              placeholder="hh:mm"
              onChange={({ detail }) => setTime(detail.value)}
            />
          </FormField>
        </SpaceBetween>
      ) : null}
      <FormField label={t.reason} description={t.reasonMeans}>
        <Textarea value={comment} rows={2} onChange={({ detail }) => setComment(detail.value)} />
      </FormField>
    </FormModal>
  )
}
