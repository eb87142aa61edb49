import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { alertProtocols, createThirdpartyPlatform, queryThirdpartyPlatform, resourceStates } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../../browser/route.ts'
import { useDialogLink } from '../../../browser/use-dialog-link.ts'
import { useRefusal } from '../../../components/permission.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { PlatformSecret } from '../../../features/alert-platforms/PlatformSecret.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { NewPlatform } from './NewPlatform.tsx'

export function PlatformTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const creation = useDialogLink('create')
  const refusal = refused(createThirdpartyPlatform)
  const [secret, setSecret] = useState<{ url: string; token: string }>()
  const columns: Column<RecordOf<typeof queryThirdpartyPlatform>>[] = [
    {
      field: 'name',
      label: t.name,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['alerts', 'platforms', uuid])}>{name}</Link>,
    },
    { field: 'type', label: t.type, choices: alertProtocols },
    { field: 'state', label: t.state, choices: resourceStates, cell: ({ state }) => <Status value={state} /> },
    {
      field: 'lastSyncDate',
      label: t.lastReceived,
      isMeasure: true,
      cell: ({ lastSyncDate }) => <RelativeTime time={lastSyncDate} />,
    },
    { field: 'createDate', label: t.created, isMeasure: true, cell: (one) => <RelativeTime time={one.createDate} /> },
  ]
  const create = (
    <Button variant="primary" {...refusal} onClick={creation.open}>
      {t.create}
    </Button>
  )
  return (
    <>
      <ResourceTable
        operation={queryThirdpartyPlatform}
        title={t.title}
        columns={columns}
        search={search}
        path={['alerts', 'platforms']}
        actions={create}
        empty={t.empty}
        first={create}
      />
      {creation.isOpen && !refusal ? <NewPlatform onCreated={setSecret} onDismiss={creation.close} /> : null}
      {secret ? <PlatformSecret {...secret} onDismiss={() => setSecret(undefined)} /> : null}
    </>
  )
}
