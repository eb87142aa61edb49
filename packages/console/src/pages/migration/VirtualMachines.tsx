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
import { linkTo } from '../../frame/route.ts'
import { Failure } from '../../parts/Failure.tsx'
import { Nothing } from '../../parts/Nothing.tsx'
import { useHostRefusal, useRefusal } from '../../parts/permission.ts'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { DeleteVm } from './DeleteVm.tsx'
import { NewVm } from './NewVm.tsx'
import { words } from './words.ts'

type Vm = AnswerOf<typeof getMigrateVmInstances>['gatewayVmInstances'][number]

/** States come from the hypervisors, of which no event tells. */
const lookMs = 10_000

/** The managing one first, as the server orders them. */
export function VirtualMachines() {
  const say = useWords(words)
  const refused = useRefusal()
  const onHost = useHostRefusal()
  const [isMaking, setMaking] = useState(false)
  const [going, setGoing] = useState<Vm>()
  const { data, error, isPending, isFetching, refetch } = useAnswer(getMigrateVmInstances, {}, { everyMs: lookMs })
  const vms = data?.gatewayVmInstances ?? []
  const managing = data?.managementVmInstanceUuid ?? null
  const used = [...new Set(vms.map(({ hostUuid }) => hostUuid))]
  const hosts = useAnswer(queryHost, { q: [`uuid?=${used.join(',')}`] }, { enabled: used.length > 0 })
  const hostName = (uuid: string): string => hosts.data?.inventories?.find((host) => host.uuid === uuid)?.name ?? uuid
  return (
    <SpaceBetween size="m">
      {error ? <Failure error={error} /> : null}
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
                <Button iconName="refresh" ariaLabel={say.look} loading={isFetching} onClick={() => void refetch()} />
                <Button
                  variant="primary"
                  disabled={managing === null}
                  disabledReason={say.noGateways}
                  {...refused(createMigrateVmInstance)}
                  onClick={() => setMaking(true)}
                >
                  {say.create}
                </Button>
              </SpaceBetween>
            }
          >
            {say.vms}
          </Header>
        }
        columnDefinitions={[
          { id: 'name', header: say.name, isRowHeader: true, minWidth: 130, cell: ({ name }) => name },
          {
            id: 'kind',
            header: say.kind,
            cell: ({ uuid }) =>
              uuid === managing ? <Badge color="blue">{say.managing}</Badge> : <Badge>{say.gateway}</Badge>,
          },
          { id: 'state', header: say.state, minWidth: 120, cell: ({ state }) => <Status value={state} /> },
          {
            id: 'host',
            header: say.host,
            cell: ({ hostUuid }) => <Link href={linkTo(['hosts', hostUuid])}>{hostName(hostUuid)}</Link>,
          },
          { id: 'description', header: say.description, minWidth: 200, cell: ({ description }) => description ?? '–' },
          { id: 'created', header: say.created, minWidth: 140, cell: ({ createDate }) => <When time={createDate} /> },
          {
            id: 'delete',
            header: say.delete,
            minWidth: 110,
            cell: (vm) => (
              <Button
                variant="inline-link"
                ariaLabel={say.deleteNamed(vm.name)}
                disabled={vm.uuid === managing}
                disabledReason={say.isManaging}
                {...onHost(hosts.data?.inventories?.find(({ uuid }) => uuid === vm.hostUuid))}
                {...refused(deleteMigrateVmInstance)}
                onClick={() => setGoing(vm)}
              >
                {say.delete}
              </Button>
            ),
          },
        ]}
        empty={
          <Nothing words={say.noVms}>
            <Button href={linkTo(['packages'])}>{say.toPackages}</Button>
          </Nothing>
        }
      />
      {isMaking ? <NewVm onDismiss={() => setMaking(false)} /> : null}
      {going ? <DeleteVm uuid={going.uuid} name={going.name} onDismiss={() => setGoing(undefined)} /> : null}
    </SpaceBetween>
  )
}
