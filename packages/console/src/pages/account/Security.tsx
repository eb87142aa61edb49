import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getSecondFactors } from '@wharf/contract'
import { useState } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { RecoveryCodes } from '../../features/second-factor/RecoveryCodes.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { EnrolAuthenticator } from './EnrolAuthenticator.tsx'
import { messages } from './messages.ts'
import { NewRecoveryCodes } from './NewRecoveryCodes.tsx'
import { RemoveFactor } from './RemoveFactor.tsx'

type Dialog =
  | { readonly what: 'enrol' | 'removeAuthenticator' | 'recoveryCodes' | 'addPasskey' }
  | { readonly what: 'removePasskey'; readonly uuid: string; readonly name: string }

/** The second factors of the user. */
export function Security() {
  const t = useMessages(messages)
  const { secondFactors } = useWharf()
  const { data, error, refetch } = useApiQuery(getSecondFactors, {})
  const [dialog, setDialog] = useState<Dialog>()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = (): void => setDialog(undefined)
  const added = (created: readonly string[] | null): void => {
    close()
    setCodes(created)
    void refetch()
  }
  const removed = async (removal: Promise<unknown>): Promise<void> => {
    await removal
    void refetch()
  }
  const own = data?.inventory
  const hasFactor = own !== undefined && (own.authenticatorDate !== null || own.passkeys.length > 0)
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header variant="h2" description={t.securityHelp}>
            {t.security}
          </Header>
        }
      >
        <SpaceBetween size="m">
          {error ? <ErrorAlert error={error} /> : null}
          {own?.isRequired && !hasFactor ? <Alert type="warning">{t.factorRequired}</Alert> : null}
          {own ? (
            <ColumnLayout columns={2}>
              <div>
                <Box variant="awsui-key-label">{t.authenticator}</Box>
                <SpaceBetween direction="horizontal" size="xs" alignItems="center">
                  {own.authenticatorDate === null ? (
                    t.notAdded
                  ) : (
                    <span>
                      {t.addedAt} <RelativeTime time={own.authenticatorDate} />
                    </span>
                  )}
                  {own.authenticatorDate === null ? (
                    <Button onClick={() => setDialog({ what: 'enrol' })}>{t.addAuthenticator}</Button>
                  ) : (
                    <Button onClick={() => setDialog({ what: 'removeAuthenticator' })}>{t.removeAuthenticator}</Button>
                  )}
                </SpaceBetween>
              </div>
              <div>
                <Box variant="awsui-key-label">{t.recoveryCodes}</Box>
                <SpaceBetween direction="horizontal" size="xs" alignItems="center">
                  {t.codesLeft(own.recoveryCodes)}
                  <Button
                    disabled={!hasFactor}
                    disabledReason={t.noFactorYet}
                    onClick={() => setDialog({ what: 'recoveryCodes' })}
                  >
                    {t.newRecoveryCodes}
                  </Button>
                </SpaceBetween>
              </div>
            </ColumnLayout>
          ) : null}
        </SpaceBetween>
      </Container>
      <SectionTable
        title={t.passkeys}
        description={t.passkeysMean}
        records={own?.passkeys}
        keyOf={({ uuid }) => uuid}
        call={{ operation: getSecondFactors, input: {} }}
        actions={<Button onClick={() => setDialog({ what: 'addPasskey' })}>{t.addPasskey}</Button>}
        columns={[
          { field: 'name', label: t.passkeyName },
          { field: 'createDate', label: t.created, cell: ({ createDate }) => <RelativeTime time={createDate} /> },
          {
            field: 'lastUsedDate',
            label: t.lastUsed,
            cell: ({ lastUsedDate }) => (lastUsedDate === null ? t.never : <RelativeTime time={lastUsedDate} />),
          },
        ]}
        rowActions={{
          label: t.actions,
          cell: ({ uuid, name }) => (
            <Button
              variant="inline-link"
              ariaLabel={t.removePasskey(name)}
              onClick={() => setDialog({ what: 'removePasskey', uuid, name })}
            >
              {t.remove}
            </Button>
          ),
        }}
        empty={t.noPasskeys}
      />
      {dialog?.what === 'enrol' ? <EnrolAuthenticator onEnrolled={added} onDismiss={close} /> : null}
      {dialog?.what === 'recoveryCodes' ? <NewRecoveryCodes onCreated={added} onDismiss={close} /> : null}
      {dialog?.what === 'addPasskey' ? <AddPasskey onAdded={added} onDismiss={close} /> : null}
      {dialog?.what === 'removeAuthenticator' || dialog?.what === 'removePasskey' ? (
        <RemoveFactor
          title={dialog.what === 'removePasskey' ? t.removePasskey(dialog.name) : t.removeAuthenticator}
          hasPasskeys={(own?.passkeys.length ?? 0) > 0}
          remove={(secondFactor) =>
            removed(
              dialog.what === 'removePasskey'
                ? secondFactors.removePasskey({ passkey: dialog.uuid, secondFactor })
                : secondFactors.removeAuthenticator({ secondFactor }),
            )
          }
          onDismiss={close}
        />
      ) : null}
      {codes ? <RecoveryCodes codes={codes} onDismiss={() => setCodes(null)} /> : null}
    </SpaceBetween>
  )
}
