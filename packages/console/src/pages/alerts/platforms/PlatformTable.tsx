import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import {
  alertProtocols,
  createThirdpartyPlatform,
  deleteThirdpartyPlatform,
  queryThirdpartyPlatform,
  resourceStates,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../../browser/route.ts'
import { useDialogLink } from '../../../browser/use-dialog-link.ts'
import { useRefusal } from '../../../components/permission.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { type BulkAction, type Column, type RecordOf, ResourceTable } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { useStateActions } from '../../../components/table/bulk/use-state-actions.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { messages as platformMessages } from '../../../features/alert-platforms/messages.ts'
import { PlatformSecret } from '../../../features/alert-platforms/PlatformSecret.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { NewPlatform } from './NewPlatform.tsx'

type Platform = RecordOf<typeof queryThirdpartyPlatform>

export function PlatformTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const platform = useMessages(platformMessages)
  const { alertPlatforms } = useWharf()
  const refused = useRefusal()
  const creation = useDialogLink('create')
  const refusal = refused(createThirdpartyPlatform)
  const [secret, setSecret] = useState<{ url: string; token: string }>()
  const stateActions = useStateActions<Platform>({
    operation: updateThirdpartyPlatform,
    enableConsequences: t.enableConsequences,
    disableConsequences: platform.disableConsequences,
    change: ({ uuid = '' }, stateEvent) => alertPlatforms.update(uuid, { stateEvent }),
  })
  const remove: BulkAction<Platform> = {
    id: 'delete',
    label: platform.delete,
    operation: deleteThirdpartyPlatform,
    consequences: platform.deleteConsequences,
    run: ({ uuid = '' }) => alertPlatforms.delete(uuid),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const columns: Column<Platform>[] = [
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
        bulkActions={[...stateActions, remove]}
        hasTags
        actions={create}
        empty={t.empty}
        first={create}
      />
      {creation.isOpen && !refusal ? <NewPlatform onCreated={setSecret} onDismiss={creation.close} /> : null}
      {secret ? <PlatformSecret {...secret} onDismiss={() => setSecret(undefined)} /> : null}
    </>
  )
}
