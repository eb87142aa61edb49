import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  type AnswerOf,
  confirmDeviceLogin,
  denyDeviceLogin,
  findDeviceLogin,
  hasMoreRights,
  type Role,
  roles,
} from '@wharf/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useCaller } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { useApiMutation } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

type Device = AnswerOf<typeof findDeviceLogin>['inventory']

/** `#/account/device?code=…`: the code that a device shows, to confirm or deny. */
export function DeviceLogin({ code }: { code: string | null }) {
  const t = useMessages(messages)
  const [typed, setTyped] = useState(code ?? '')
  const [decided, setDecided] = useState<'confirmed' | 'denied'>()
  const find = useApiMutation(findDeviceLogin)
  const { mutate } = find
  useEffect(() => {
    if (code !== null) mutate({ userCode: code })
  }, [code, mutate])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim() !== '') mutate({ userCode: typed })
  }
  return (
    <ContentLayout header={<Header variant="h1">{t.deviceTitle}</Header>}>
      <SpaceBetween size="l">
        {decided ? <Alert type={decided === 'confirmed' ? 'success' : 'info'}>{t.decided[decided]}</Alert> : null}
        {find.error && !decided ? <ErrorAlert error={find.error} /> : null}
        {find.data && !decided ? (
          <Decision device={find.data.inventory} onDecided={setDecided} />
        ) : (
          <Container>
            <form onSubmit={submit}>
              <SpaceBetween size="m">
                <FormField label={t.deviceCode} description={t.deviceCodeHelp}>
                  <Input
                    value={typed}
                    placeholder="WDJB-MJHT"
                    autoComplete={false}
                    spellcheck={false}
                    onChange={({ detail }) => setTyped(detail.value)}
                  />
                </FormField>
                <Button formAction="submit" loading={find.isPending} onClick={() => setDecided(undefined)}>
                  {t.findDevice}
                </Button>
              </SpaceBetween>
            </form>
          </Container>
        )}
      </SpaceBetween>
    </ContentLayout>
  )
}

interface DecisionProps {
  readonly device: Device
  readonly onDecided: (decision: 'confirmed' | 'denied') => void
}

function Decision({ device, onDecided }: DecisionProps) {
  const t = useMessages(messages)
  const own = useCaller()?.role ?? 'reader'
  const allowed = roles.filter((role) => !hasMoreRights(role, own))
  const { userCode, requestedRole, clientName, address, client, createDate } = device
  const suggested = requestedRole !== null && allowed.includes(requestedRole) ? requestedRole : own
  const [chosen, setChosen] = useState<Role>()
  const role = chosen ?? suggested
  const confirm = useApiMutation(confirmDeviceLogin)
  const deny = useApiMutation(denyDeviceLogin)
  const error = confirm.error ?? deny.error
  return (
    <Container header={<Header variant="h2">{t.deviceQuestion}</Header>}>
      <SpaceBetween size="m">
        {error ? <ErrorAlert error={error} /> : null}
        <Alert type="warning">{t.deviceWarning}</Alert>
        <KeyValuePairs
          columns={4}
          items={[
            { label: t.deviceCode, value: <Box variant="h2">{userCode}</Box> },
            { label: t.deviceName, value: clientName ?? t.unknown },
            { label: t.deviceAddress, value: address },
            { label: t.deviceClient, value: client ?? t.unknown },
            { label: t.deviceStarted, value: <RelativeTime time={createDate} /> },
          ]}
        />
        <FormField label={t.deviceRole} description={t.deviceRoleHelp}>
          <RadioGroup
            value={role}
            items={allowed.map((value) => ({ value, label: value, description: t.roles[value] }))}
            onChange={({ detail }) => setChosen(detail.value as Role)}
          />
        </FormField>
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            variant="primary"
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ userCode, role }, { onSuccess: () => onDecided('confirmed') })}
          >
            {t.confirmDevice}
          </Button>
          <Button
            loading={deny.isPending}
            onClick={() => deny.mutate({ userCode }, { onSuccess: () => onDecided('denied') })}
          >
            {t.denyDevice}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  )
}
