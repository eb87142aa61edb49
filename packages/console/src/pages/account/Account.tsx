import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getCallerIdentity } from '@wharf/contract'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { OwnKeys } from './OwnKeys.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { Preferences } from './Preferences.tsx'

/** `#/account`: the signed-in user. */
export default function Account() {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(getCallerIdentity, {})
  const caller = data?.inventory
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
        <OwnPassword />
        {caller ? <OwnKeys userUuid={caller.userUuid} /> : null}
      </SpaceBetween>
    </ContentLayout>
  )
}
