import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { type SystemEventName, systemEventNames } from '@wharf/contract'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { messages as eventMessages } from '../../../features/system-events/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { EndpointForm } from './endpoint-form.ts'
import { messages } from './messages.ts'

interface SystemEventFieldsProps {
  readonly form: EndpointForm
  readonly onChange: (change: Partial<EndpointForm>) => void
}

/** The subscriptions to events of Wharf itself, and the template of their messages. */
export function SystemEventFields({ form: { ownEvents, ownEventTemplate }, onChange }: SystemEventFieldsProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { events } = useMessages(eventMessages)
  const options = systemEventNames.map((value) => ({
    value,
    label: events[value].name,
    description: events[value].description,
  }))
  return (
    <SpaceBetween size="l">
      <FormField label={optional(t.ownEvents)} description={t.ownEventsHelp}>
        <Multiselect
          options={options}
          selectedOptions={options.filter(({ value }) => ownEvents.includes(value))}
          placeholder={t.noOwnEvents}
          onChange={({ detail }) =>
            onChange({ ownEvents: detail.selectedOptions.flatMap(({ value }) => (value as SystemEventName) ?? []) })
          }
        />
      </FormField>
      {ownEvents.length === 0 && ownEventTemplate === '' ? null : (
        <FormField
          label={optional(t.ownEventTemplate)}
          description={t.ownEventTemplateHelp}
          constraintText={t.ownEventTemplateVariables}
        >
          <Textarea
            value={ownEventTemplate}
            rows={6}
            spellcheck={false}
            onChange={({ detail }) => onChange({ ownEventTemplate: detail.value })}
          />
        </FormField>
      )}
    </SpaceBetween>
  )
}
