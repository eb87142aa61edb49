import DateInput from '@cloudscape-design/components/date-input'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import TimeInput from '@cloudscape-design/components/time-input'
import type { ReactNode } from 'react'
import { useTimeZone } from '../../../i18n/time-zone.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { type SilenceChoice, silenceEnd } from './silence-end.ts'

interface SilenceForm {
  readonly fields: ReactNode
  /** Why the form is incomplete. */
  readonly problem: string | undefined
  /** The fields of the call; a duration counts from now. */
  readonly read: () => { until: string; comment: string }
}

/** The fields as typed. */
interface SilenceInput {
  readonly choice: SilenceChoice
  readonly date: string
  readonly time: string
  readonly comment: string
}

export const newSilence: SilenceInput = { choice: 'hour', date: '', time: '', comment: '' }

const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How long alerts are silenced, and why. */
export function useSilenceForm(form: SilenceInput, setForm: (next: SilenceInput) => void): SilenceForm {
  const t = useMessages(messages)
  const zone = useTimeZone()
  const { choice, date, time, comment } = form
  const endFromNow = () => silenceEnd(choice, { date, time, zone }, Date.now())
  const ended = endFromNow()
  return {
    problem: 'problem' in ended ? t.problems[ended.problem] : comment.trim() === '' ? t.problems.noReason : undefined,
    read: () => {
      const current = endFromNow()
      // a chosen time that has passed meanwhile is refused by the server
      return { until: 'end' in current ? current.end.toISOString() : new Date().toISOString(), comment }
    },
    fields: (
      <SpaceBetween size="l">
        <FormField label={t.duration}>
          <RadioGroup
            value={choice}
            items={(['hour', 'fourHours', 'day', 'until'] as const).map((value) => ({
              value,
              label: t.durations[value],
            }))}
            onChange={({ detail }) => setForm({ ...form, choice: detail.value as SilenceChoice })}
          />
        </FormField>
        {choice === 'until' ? (
          <SpaceBetween direction="horizontal" size="s">
            <FormField label={t.date} constraintText={t.dateForm}>
              <DateInput
                value={date}
                placeholder={t.dateForm}
                onChange={({ detail }) => setForm({ ...form, date: detail.value })}
              />
            </FormField>
            <FormField label={t.time} constraintText={t.timeForm(zone === 'utc' ? 'UTC' : localZone())}>
              <TimeInput
                value={time}
                format="hh:mm"
                placeholder="hh:mm"
                onChange={({ detail }) => setForm({ ...form, time: detail.value })}
              />
            </FormField>
          </SpaceBetween>
        ) : null}
        <FormField label={t.reason} description={t.reasonHelp}>
          <Textarea value={comment} rows={2} onChange={({ detail }) => setForm({ ...form, comment: detail.value })} />
        </FormField>
      </SpaceBetween>
    ),
  }
}
