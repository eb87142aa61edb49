import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getCallerIdentity } from '@wharf/contract'
import type { Route } from '../../browser/route.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useCaller } from '../../components/permission.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { DeviceLogin } from './DeviceLogin.tsx'
import { messages } from './messages.ts'
import { OwnKeys } from './OwnKeys.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { Preferences } from './Preferences.tsx'
import { Security } from './Security.tsx'

/** `#/account`: the signed-in user; `#/account/device`: a device that the user signs in. */
export default function Account({ path: [part], search }: Route) {
  return part === 'device' ? <DeviceLogin code={search.get('code')} /> : <OwnAccount />
}

function OwnAccount() {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(getCallerIdentity, {})
  const caller = data?.inventory
  const source = useCaller()?.source
  return (
    <ContentLayout header={<Header variant="h1">{t.title}</Header>}>
      <SpaceBetween size="l">
        {error ? <ErrorAlert error={error} /> : null}
        {caller ? (
          <Container>
            <KeyValuePairs
              columns={4}
              items={[
                { label: t.user, value: caller.userName },
                { label: t.account, value: caller.accountName },
                { label: t.role, value: `${caller.role} – ${t.roles[caller.role]}` },
                { label: t.scope, value: caller.scope.join(', ') || t.allHosts },
              ]}
            />
          </Container>
        ) : null}
        <Preferences />
        {source === 'Local' ? <OwnPassword /> : null}
        {source === 'Local' ? <Security /> : null}
        {caller ? <OwnSessions userUuid={caller.userUuid} /> : null}
        {caller ? <OwnKeys userUuid={caller.userUuid} /> : null}
      </SpaceBetween>
    </ContentLayout>
  )
}
