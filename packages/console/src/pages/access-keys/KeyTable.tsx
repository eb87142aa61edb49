import Button from '@cloudscape-design/components/button'
import {
  changeAccessKeyState,
  deleteAccessKey,
  keyStates,
  queryAccessKey,
  queryUser,
  roles,
  rotateAccessKey,
} from '@wharf/contract'
import { useState } from 'react'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useStateActions } from '../../components/table/bulk/use-state-actions.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { KeyExpiry } from './KeyExpiry.tsx'
import { messages } from './messages.ts'
import { NewKey } from './NewKey.tsx'
import { NewKeySecret } from './NewKeySecret.tsx'
import { RotateKey } from './RotateKey.tsx'
import type { Secret } from './secret-file.ts'

type Key = RecordOf<typeof queryAccessKey>

/** Users beyond the limit are shown by their uuid. */
const manyUsers = { fields: ['uuid', 'name'], limit: 1000 }

export function KeyTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const { accessKeys } = useWharf()
  const creation = useDialogLink('create')
  const refused = useRefusal()
  const [secret, setSecret] = useState<Secret>()
  const [rotated, setRotated] = useState<Key>()
  const { data: users } = useApiQuery(queryUser, manyUsers)
  const names = new Map(users?.inventories?.map(({ uuid, name }) => [uuid, name]))
  const columns: Column<Key>[] = [
    { field: 'AccessKeyID', label: t.keyId, width: 225 },
    { field: 'state', label: t.state, choices: keyStates, width: 130, cell: (key) => <Status value={key.state} /> },
    { field: 'userUuid', label: t.user, width: 95, text: ({ userUuid = '' }) => names.get(userUuid) ?? userUuid },
    {
      field: 'scope',
      label: t.scope,
      width: 165,
      lines: 2,
      isDerived: true,
      text: ({ scope = [] }) => scope.join(', ') || '–',
    },
    { field: 'description', label: t.description, isOptional: true },
    {
      field: 'expiresDate',
      label: t.expires,
      isMeasure: true,
      width: 139,
      cell: (key) => <KeyExpiry expiresDate={key.expiresDate} />,
    },
    {
      field: 'lastUsedDate',
      label: t.lastUsed,
      isMeasure: true,
      width: 185,
      cell: (key) => <RelativeTime time={key.lastUsedDate} />,
    },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      isOptional: true,
      cell: (key) => <RelativeTime time={key.createDate} />,
    },
    { field: 'role', label: t.role, choices: roles, isOptional: true, text: ({ role }) => role ?? t.ownRole },
    {
      field: 'operations',
      label: t.operations,
      isDerived: true,
      isOptional: true,
      text: ({ operations = [] }) => operations.join(', ') || t.everyOperation,
    },
    {
      field: 'allowedCidrs',
      label: t.networks,
      isDerived: true,
      isOptional: true,
      text: ({ allowedCidrs = [] }) => allowedCidrs.join(', ') || t.everyNetwork,
    },
  ]
  const stateActions = useStateActions<Key>({
    operation: changeAccessKeyState,
    enableConsequences: t.enableConsequences,
    disableConsequences: t.disableConsequences,
    change: ({ uuid = '' }, stateEvent) => accessKeys.changeState(uuid, { stateEvent }),
  })
  const remove: BulkAction<Key> = {
    id: 'delete',
    label: t.delete,
    operation: deleteAccessKey,
    consequences: t.deleteConsequences,
    run: ({ uuid = '' }) => accessKeys.delete(uuid),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const create = (
    <Button variant="primary" onClick={creation.open}>
      {t.create}
    </Button>
  )
  return (
    <>
      <ResourceTable
        operation={queryAccessKey}
        title={t.title}
        columns={columns}
        search={search}
        path={['access-keys']}
        textField="AccessKeyID"
        empty={t.empty}
        bulkActions={[...stateActions, remove]}
        rowActions={{
          label: t.secret,
          width: 95,
          cell: (key) => (
            <Button variant="inline-link" {...refused(rotateAccessKey)} onClick={() => setRotated(key)}>
              {t.rotate}
            </Button>
          ),
        }}
        actions={create}
      />
      {creation.isOpen ? (
        <NewKey
          onCreated={({ id, secret: shown }) => setSecret(shown === undefined ? undefined : { id, secret: shown })}
          onDismiss={creation.close}
        />
      ) : null}
      {rotated ? <RotateKey rotated={rotated} onRotated={setSecret} onDismiss={() => setRotated(undefined)} /> : null}
      {secret ? <NewKeySecret secret={secret} onDismiss={() => setSecret(undefined)} /> : null}
    </>
  )
}
