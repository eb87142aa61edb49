import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { changeBackupStorageState, deleteBackupStorage, reconnectBackupStorage } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../browser/route.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useRefusal } from '../../components/permission.ts'
import { useApiMutation } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import type { StorageRecord } from './storage-record.ts'

export function StorageActions({ record: { uuid, name, state } }: { record: StorageRecord }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const change = useApiMutation(changeBackupStorageState)
  const reconnect = useApiMutation(reconnectBackupStorage)
  const isEnabled = state === 'Enabled'
  const failure = change.error ?? reconnect.error
  return (
    <SpaceBetween size="s">
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          loading={reconnect.isPending}
          {...refused(reconnectBackupStorage)}
          onClick={() => reconnect.mutate({ uuid })}
        >
          {t.reconnect}
        </Button>
        <Button
          disabled={isEnabled}
          disabledReason={t.isEnabled}
          loading={change.isPending}
          {...refused(changeBackupStorageState)}
          onClick={() => change.mutate({ uuid, stateEvent: 'enable' })}
        >
          {t.enable}
        </Button>
        <Button
          disabled={!isEnabled}
          disabledReason={t.isDisabled}
          {...refused(changeBackupStorageState)}
          onClick={() => setAsked('disable')}
        >
          {t.disable}
        </Button>
        <Button {...refused(deleteBackupStorage)} onClick={() => setAsked('delete')}>
          {t.delete}
        </Button>
      </SpaceBetween>
      {failure ? <ErrorAlert error={failure} /> : null}
      {asked === 'disable' ? (
        <Confirm
          title={t.disableTitle(name)}
          consequences={t.disableMeans}
          action={t.disable}
          onConfirm={() => wharf.backupStorage.changeState(uuid, { stateEvent: 'disable' })}
          onDismiss={() => setAsked(undefined)}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={t.deleteTitle(name)}
          consequences={t.deleteMeans}
          action={t.delete}
          onConfirm={async () => {
            await wharf.backupStorage.delete(uuid)
            navigate(linkTo(['backup-storage']))
          }}
          onDismiss={() => setAsked(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
