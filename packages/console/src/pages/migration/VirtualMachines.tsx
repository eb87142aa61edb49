import Badge from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { createMigrateVmInstance, deleteMigrateVmInstance, getMigrateVmInstances, queryHost } from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { useDialogLink } from '../../browser/use-dialog-link.ts'
import { NewestJobFailure } from '../../components/job-failure/NewestJobFailure.tsx'
import { useHostRefusal, useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import type { Column } from '../../components/table/column.ts'
import { LocalTable } from '../../components/table/LocalTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { DeleteVm } from './DeleteVm.tsx'
import { messages } from './messages.ts'
import { NewVm } from './NewVm.tsx'
import { useDeleteVms, type Vm } from './use-delete-vms.tsx'

/** The hypervisors report no events. */
const pollMs = 10_000

type VmRow = Vm & { readonly kind: 'management' | 'gateway' }

export function VirtualMachines({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const onHost = useHostRefusal()
  const creation = useDialogLink('create')
  const [deleted, setDeleted] = useState<Vm>()
  const { data, error, isFetching, refetch } = useApiQuery(getMigrateVmInstances, {}, { pollMs })
  const managing = data?.managementVmInstanceUuid ?? null
  const vms = data?.gatewayVmInstances.map(
    (vm): VmRow => ({ ...vm, kind: vm.uuid === managing ? 'management' : 'gateway' }),
  )
  const used = [...new Set(vms?.map(({ hostUuid }) => hostUuid))]
  const hosts = useApiQuery(queryHost, { q: [`uuid?=${used.join(',')}`] }, { enabled: used.length > 0 })
  const hostOf = (uuid: string) => hosts.data?.inventories?.find((host) => host.uuid === uuid)
  const hostName = (uuid: string): string => hostOf(uuid)?.name ?? uuid
  const problem = ({ uuid, hostUuid }: Vm): string | undefined =>
    uuid === managing ? t.isManagement : onHost(hostOf(hostUuid))?.disabledReason
  const deleteVms = useDeleteVms(problem)
  const columns: Column<VmRow>[] = [
    { field: 'name', label: t.name, width: 130 },
    {
      field: 'kind',
      label: t.kind,
      width: 115,
      choices: [
        { value: 'management', label: t.management },
        { value: 'gateway', label: t.gateway },
      ],
      cell: ({ kind }) => <Badge color={kind === 'management' ? 'blue' : 'grey'}>{t[kind]}</Badge>,
      text: ({ kind }) => t[kind],
    },
    { field: 'state', label: t.state, width: 120, cell: ({ state }) => <Status value={state} /> },
    {
      field: 'hostUuid',
      label: t.host,
      width: 120,
      choices: used.map((value) => ({ value, label: hostName(value) })),
      cell: ({ hostUuid }) => <Link href={linkTo(['hosts', hostUuid])}>{hostName(hostUuid)}</Link>,
      text: ({ hostUuid }) => hostName(hostUuid),
    },
    { field: 'description', label: t.description, width: 145 },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      width: 175,
      cell: (vm) => <RelativeTime time={vm.createDate} />,
    },
  ]
  return (
    <>
      {vms?.map(({ uuid }) => (
        <NewestJobFailure key={uuid} subjectUuid={uuid} />
      ))}
      <LocalTable
        title={t.vms}
        isSection
        records={vms}
        error={error}
        isFetching={isFetching}
        refetch={() => void refetch()}
        call={{ operation: getMigrateVmInstances, input: {} }}
        keyOf={({ uuid }) => uuid}
        columns={columns}
        search={search}
        path={['migration']}
        defaultSort="-createDate"
        bulkActions={[deleteVms]}
        actions={
          <Button
            variant="primary"
            disabled={managing === null}
            disabledReason={t.noGateways}
            {...refused(createMigrateVmInstance)}
            onClick={creation.open}
          >
            {t.create}
          </Button>
        }
        rowActions={{
          label: t.delete,
          width: 110,
          cell: (vm) => {
            const reason = refused(deleteMigrateVmInstance)?.disabledReason ?? problem(vm)
            return (
              <Button
                variant="inline-link"
                ariaLabel={t.deleteNamed(vm.name)}
                disabled={reason !== undefined}
                {...(reason !== undefined && { disabledReason: reason })}
                onClick={() => setDeleted(vm)}
              >
                {t.delete}
              </Button>
            )
          },
        }}
        empty={t.noVms}
        first={<Button href={linkTo(['packages'])}>{t.toPackages}</Button>}
      />
      {creation.isOpen && !refused(createMigrateVmInstance) ? <NewVm onDismiss={creation.close} /> : null}
      {deleted ? <DeleteVm uuid={deleted.uuid} name={deleted.name} onDismiss={() => setDeleted(undefined)} /> : null}
    </>
  )
}
