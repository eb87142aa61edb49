import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { changeBackupStorageState, deleteBackupStorage, reconnectBackupStorage } from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../frame/route.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useRefusal } from '../../parts/permission.ts'
import { useOperation } from '../../wharf/answers.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import type { StorageRecord } from './storage-record.ts'
import { words } from './words.ts'

export function StorageActions({ record: { uuid, name, state } }: { record: StorageRecord }) {
  const say = useWords(words)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const change = useOperation(changeBackupStorageState)
  const reconnect = useOperation(reconnectBackupStorage)
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
          {say.reconnect}
        </Button>
        <Button
          disabled={isEnabled}
          disabledReason={say.isEnabled}
          loading={change.isPending}
          {...refused(changeBackupStorageState)}
          onClick={() => change.mutate({ uuid, stateEvent: 'enable' })}
        >
          {say.enable}
        </Button>
        <Button
          disabled={!isEnabled}
          disabledReason={say.isDisabled}
          {...refused(changeBackupStorageState)}
          onClick={() => setAsked('disable')}
        >
          {say.disable}
        </Button>
        <Button {...refused(deleteBackupStorage)} onClick={() => setAsked('delete')}>
          {say.delete}
        </Button>
      </SpaceBetween>
      {failure ? <Failure error={failure} /> : null}
      {asked === 'disable' ? (
        <Confirm
          title={say.disableTitle(name)}
          consequences={say.disableMeans}
          action={say.disable}
          onConfirm={() => wharf.backupStorage.changeState(uuid, { stateEvent: 'disable' })}
          onDismiss={() => setAsked(undefined)}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={say.deleteTitle(name)}
          consequences={say.deleteMeans}
          action={say.delete}
          onConfirm={async () => {
            await wharf.backupStorage.delete(uuid)
            go(linkTo(['backup-storage']))
          }}
          onDismiss={() => setAsked(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
