import Badge from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import {
  type AnswerOf,
  createMigrateVmInstance,
  deleteMigrateVmInstance,
  getMigrateVmInstances,
  queryHost,
} from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useHostRefusal, useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { DeleteVm } from './DeleteVm.tsx'
import { messages } from './messages.ts'
import { NewVm } from './NewVm.tsx'

type Vm = AnswerOf<typeof getMigrateVmInstances>['gatewayVmInstances'][number]

/** The hypervisors report no events. */
const pollMs = 10_000

export function VirtualMachines() {
  const t = useMessages(messages)
  const refused = useRefusal()
  const onHost = useHostRefusal()
  const creation = useDialogLink('create')
  const [going, setGoing] = useState<Vm>()
  const { data, error, isPending, isFetching, refetch } = useApiQuery(getMigrateVmInstances, {}, { pollMs })
  const vms = data?.gatewayVmInstances ?? []
  const managing = data?.managementVmInstanceUuid ?? null
  const used = [...new Set(vms.map(({ hostUuid }) => hostUuid))]
  const hosts = useApiQuery(queryHost, { q: [`uuid?=${used.join(',')}`] }, { enabled: used.length > 0 })
  const hostName = (uuid: string): string => hosts.data?.inventories?.find((host) => host.uuid === uuid)?.name ?? uuid
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      <Table
        loading={isPending}
        items={vms}
        trackBy="uuid"
        wrapLines
        header={
          <Header
            variant="h2"
            counter={`(${vms.length})`}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel={t.refresh} loading={isFetching} onClick={() => void refetch()} />
                <Button
                  variant="primary"
                  disabled={managing === null}
                  disabledReason={t.noGateways}
                  {...refused(createMigrateVmInstance)}
                  onClick={creation.open}
                >
                  {t.create}
                </Button>
              </SpaceBetween>
            }
          >
            {t.vms}
          </Header>
        }
        columnDefinitions={[
          { id: 'name', header: t.name, isRowHeader: true, minWidth: 130, cell: ({ name }) => name },
          {
            id: 'kind',
            header: t.kind,
            cell: ({ uuid }) =>
              uuid === managing ? <Badge color="blue">{t.management}</Badge> : <Badge>{t.gateway}</Badge>,
          },
          { id: 'state', header: t.state, minWidth: 120, cell: ({ state }) => <Status value={state} /> },
          {
            id: 'host',
            header: t.host,
            cell: ({ hostUuid }) => <Link href={linkTo(['hosts', hostUuid])}>{hostName(hostUuid)}</Link>,
          },
          { id: 'description', header: t.description, minWidth: 200, cell: ({ description }) => description ?? '–' },
          {
            id: 'created',
            header: t.created,
            minWidth: 140,
            cell: ({ createDate }) => <RelativeTime time={createDate} />,
          },
          {
            id: 'delete',
            header: t.delete,
            minWidth: 110,
            cell: (vm) => (
              <Button
                variant="inline-link"
                ariaLabel={t.deleteNamed(vm.name)}
                disabled={vm.uuid === managing}
                disabledReason={t.isManagement}
                {...onHost(hosts.data?.inventories?.find(({ uuid }) => uuid === vm.hostUuid))}
                {...refused(deleteMigrateVmInstance)}
                onClick={() => setGoing(vm)}
              >
                {t.delete}
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState text={t.noVms}>
            <Button href={linkTo(['packages'])}>{t.toPackages}</Button>
          </EmptyState>
        }
      />
      {creation.isOpen && !refused(createMigrateVmInstance) ? <NewVm onDismiss={creation.close} /> : null}
      {going ? <DeleteVm uuid={going.uuid} name={going.name} onDismiss={() => setGoing(undefined)} /> : null}
    </SpaceBetween>
  )
}
