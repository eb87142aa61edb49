import {
  changeHostState,
  deleteHost,
  getHost,
  getHostKeys,
  getHostMetrics,
  queryHost,
  reconnectHost,
} from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { JobService } from '../../jobs/service.ts'
import type { TagService } from '../tags/service.ts'
import { hostInventory } from './host-labels.ts'
import { hostRecords } from './host-selection.ts'
import { addHostJob } from './jobs/add.ts'
import { rotateHostKeyJob } from './jobs/rotate-key.ts'
import { type PackagesOnHost, updateHostJob } from './jobs/update.ts'
import type { HostService } from './service.ts'

interface HostOperationDeps {
  queries: Queries
  hosts: HostService
  jobs: JobService
  tags: TagService
  packages: PackagesOnHost
  backupStorage: { usesServerKeyAt(address: string): Promise<boolean> }
}

export function hostOperations({ queries, hosts, jobs, tags, packages, backupStorage }: HostOperationDeps): Binding[] {
  return [
    bindJob(jobs, addHostJob({ hosts, tags })),
    bindJob(jobs, updateHostJob({ hosts, packages })),
    bindJob(jobs, rotateHostKeyJob({ hosts, packages, backupStorage })),
    handle(getHostKeys, async ({ fields }) => ({ keys: await hosts.fetchKeys(fields.address, fields.sshPort) })),
    handle(reconnectHost, async ({ path, commit }) => {
      const inventory = hostInventory(await hosts.reconnect(path.uuid))
      // the probe ran outside the transaction, which only stores the idempotency key
      return commit(async () => ({ inventory }))
    }),
    handle(changeHostState, ({ path, fields, commit }) =>
      commit(async (tx) => ({ inventory: hostInventory(await hosts.changeState(tx, path.uuid, fields.stateEvent)) })),
    ),
    handle(deleteHost, ({ path, commit }) =>
      commit(async (tx) => {
        await hosts.delete(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
    handle(getHostMetrics, async ({ path, fields }) => {
      await hosts.get(path.uuid)
      return hosts.metrics.read(path.uuid, fields, queries.timezone)
    }),
    ...queryBindings(queries, queryHost, getHost, { records: hostRecords }),
  ]
}
