import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { keyStates, queryAccessKey, queryUser } from '@wharf/contract'
import { useState } from 'react'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { KeyActions } from './KeyActions.tsx'
import { messages } from './messages.ts'
import { NewKey } from './NewKey.tsx'
import { NewKeySecret } from './NewKeySecret.tsx'
import type { Secret } from './secret-file.ts'

type Key = RecordOf<typeof queryAccessKey>

/** Users beyond the limit are shown by their uuid. */
const manyUsers = { fields: ['uuid', 'name'], limit: 1000 }

export function KeyTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const [selected, setSelected] = useState<Key[]>([])
  const creation = useDialogLink('create')
  const [failure, setFailure] = useState<unknown>()
  const [secret, setSecret] = useState<Secret>()
  const { data: users } = useApiQuery(queryUser, manyUsers)
  const names = new Map(users?.inventories?.map(({ uuid, name }) => [uuid, name]))
  const columns: Column<Key>[] = [
    { field: 'AccessKeyID', label: t.keyId },
    { field: 'state', label: t.state, choices: keyStates, cell: (key) => <Status value={key.state} /> },
    { field: 'userUuid', label: t.user, cell: ({ userUuid }) => names.get(userUuid) ?? userUuid },
    { field: 'description', label: t.description },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (key) => <RelativeTime time={key.createDate} /> },
  ]
  const create = (
    <Button variant="primary" onClick={creation.open}>
      {t.create}
    </Button>
  )
  return (
    <>
      {failure ? <ErrorAlert error={failure} /> : null}
      <ResourceTable
        operation={queryAccessKey}
        title={t.title}
        columns={columns}
        search={search}
        path={['access-keys']}
        textField="AccessKeyID"
        empty={t.empty}
        selected={selected}
        onSelect={setSelected}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <KeyActions keys={selected} onDone={() => setSelected([])} onFailure={setFailure} />
            {create}
          </SpaceBetween>
        }
      />
      {creation.isOpen ? <NewKey onCreated={setSecret} onDismiss={creation.close} /> : null}
      {secret ? <NewKeySecret secret={secret} onDismiss={() => setSecret(undefined)} /> : null}
    </>
  )
}
