import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { keyStates, queryAccessKey, queryUser } from '@wharf/contract'
import { useState } from 'react'
import { Failure } from '../../parts/Failure.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { KeyActions } from './KeyActions.tsx'
import { NewKey } from './NewKey.tsx'
import { ShownOnce } from './ShownOnce.tsx'
import type { Secret } from './secret-file.ts'
import { words } from './words.ts'

type Key = RecordOf<typeof queryAccessKey>

/** Names are shown for as many users as one answer holds; the others by their uuid. */
const manyUsers = { fields: ['uuid', 'name'], limit: 1000 }

export function KeyTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const [selected, setSelected] = useState<Key[]>([])
  const [isCreating, setCreating] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [made, setMade] = useState<Secret>()
  const { data: users } = useAnswer(queryUser, manyUsers)
  const names = new Map(users?.inventories?.map(({ uuid, name }) => [uuid, name]))
  const columns: Column<Key>[] = [
    { field: 'AccessKeyID', label: say.keyId },
    { field: 'state', label: say.state, choices: keyStates, cell: (key) => <Status value={key.state} /> },
    { field: 'userUuid', label: say.user, cell: ({ userUuid }) => names.get(userUuid) ?? userUuid },
    { field: 'description', label: say.description },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (key) => <When time={key.createDate} /> },
  ]
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      {say.create}
    </Button>
  )
  return (
    <>
      {failure ? <Failure error={failure} /> : null}
      <ResourceTable
        operation={queryAccessKey}
        title={say.title}
        columns={columns}
        search={search}
        path={['access-keys']}
        textField="AccessKeyID"
        empty={say.empty}
        selected={selected}
        onSelect={setSelected}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <KeyActions keys={selected} onDone={() => setSelected([])} onFailure={setFailure} />
            {create}
          </SpaceBetween>
        }
      />
      {isCreating ? <NewKey onMade={setMade} onDismiss={() => setCreating(false)} /> : null}
      {made ? <ShownOnce made={made} onDone={() => setMade(undefined)} /> : null}
    </>
  )
}
