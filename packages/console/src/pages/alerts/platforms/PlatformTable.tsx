import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { alertProtocols, createThirdpartyPlatform, queryThirdpartyPlatform, resourceStates } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../../frame/route.ts'
import { useRefusal } from '../../../parts/permission.ts'
import { type Column, type RecordOf, ResourceTable } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useWords } from '../../../words/words.ts'
import { NewPlatform } from './NewPlatform.tsx'
import { PlatformSecret } from './PlatformSecret.tsx'
import { words } from './words.ts'

export function PlatformTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const refused = useRefusal()
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<{ url: string; token: string }>()
  const columns: Column<RecordOf<typeof queryThirdpartyPlatform>>[] = [
    {
      field: 'name',
      label: say.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['alerts', 'platforms', uuid])}>{name}</Link>,
    },
    { field: 'type', label: say.type, choices: alertProtocols },
    { field: 'state', label: say.state, choices: resourceStates, cell: ({ state }) => <Status value={state} /> },
    {
      field: 'lastSyncDate',
      label: say.lastReceived,
      isMeasure: true,
      cell: ({ lastSyncDate }) => <When time={lastSyncDate} />,
    },
    { field: 'createDate', label: say.created, isMeasure: true, cell: (one) => <When time={one.createDate} /> },
  ]
  const create = (
    <Button variant="primary" {...refused(createThirdpartyPlatform)} onClick={() => setCreating(true)}>
      {say.create}
    </Button>
  )
  return (
    <>
      <ResourceTable
        operation={queryThirdpartyPlatform}
        title={say.title}
        columns={columns}
        search={search}
        path={['alerts', 'platforms']}
        actions={create}
        empty={say.empty}
        first={create}
      />
      {isCreating ? <NewPlatform onCreated={setSecret} onDismiss={() => setCreating(false)} /> : null}
      {secret ? <PlatformSecret {...secret} onDismiss={() => setSecret(undefined)} /> : null}
    </>
  )
}
