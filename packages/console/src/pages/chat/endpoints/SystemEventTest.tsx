import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ChatKind, type SystemEventName, systemEventNames, testChatAppEndpoint } from '@wharf/contract'
import { useState } from 'react'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useApiMutation } from '../../../data/api-query.ts'
import { messages as eventMessages } from '../../../features/system-events/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface SystemEventTestProps {
  readonly uuid: string
  readonly type: ChatKind
  readonly ownEvents: readonly SystemEventName[]
}

/** Sends an example of one event of Wharf itself. */
export function SystemEventTest({ uuid, type, ownEvents }: SystemEventTestProps) {
  const t = useMessages(messages)
  const { events } = useMessages(eventMessages)
  const refused = useRefusal()
  const test = useApiMutation(testChatAppEndpoint)
  const [chosen, setChosen] = useState<SystemEventName>()
  const ownEvent = chosen ?? ownEvents[0] ?? 'JobFailed'
  const options = systemEventNames.map((value) => ({
    value,
    label: events[value].name,
    description: events[value].description,
  }))
  return (
    <Container header={<Header variant="h2">{t.ownEventTest}</Header>}>
      <SpaceBetween size="m">
        <FormField label={t.ownEvent} description={t.ownEventTestHelp}>
          <Select
            options={options}
            selectedOption={options.find(({ value }) => value === ownEvent) ?? null}
            onChange={({ detail }) => {
              test.reset()
              setChosen(detail.selectedOption.value as SystemEventName)
            }}
          />
        </FormField>
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            loading={test.isPending}
            {...refused(testChatAppEndpoint)}
            onClick={() => test.mutate({ uuid, ownEvent })}
          >
            {t.sendExample}
          </Button>
          <CopyAsCommand calls={[{ operation: testChatAppEndpoint, input: { uuid, ownEvent } }]} />
        </SpaceBetween>
        {test.isSuccess ? <Alert type="success">{t.tested(type)}</Alert> : null}
        {test.error ? <ErrorAlert error={test.error} /> : null}
      </SpaceBetween>
    </Container>
  )
}
