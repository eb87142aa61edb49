import { addHost } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { fingerprintOf } from '@wharf/ssh/host-key.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { refuseForScope, requireOwnKey } from '../../../calls/own-credentials.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import { fetchKeyInJob, firstConnectionJob } from '../../../records/first-connection-job.ts'
import type { TagService } from '../../tags/service.ts'
import { hostInventory } from '../host-labels.ts'
import type { HostRow, HostService, NewHost } from '../service.ts'

interface Input {
  /** The subject of the job; nodes of version 1.0 read it here. */
  hostUuid: string
  fingerprint?: string | undefined
}

interface AddHostDeps {
  readonly hosts: HostService
  readonly tags: TagService
}

/** Pins the key, signs in and queries the host. */
export const addHostJob = ({ hosts, tags }: AddHostDeps): JobOperation<typeof addHost, Input, HostRow> => ({
  operation: addHost,
  async start(call, enqueue) {
    const { tagUuids, ...host } = call.fields
    const checked = await hosts.check(host)
    requireOwnConnection(host, call.caller)
    return call.commit(async (tx) => {
      const { uuid, managementNodeUuid } = await hosts.create(tx, checked)
      await tags.attach(tx, { resourceUuid: uuid, resourceType: 'Host', tags: call.tags, tagUuids })
      const input = { hostUuid: uuid, fingerprint: host.hostKeyFingerprint }
      const added = { uuid, name: host.name }
      return enqueue(tx, { subject: added, host: added, input, managementNodeUuid })
    })
  },
  ...firstConnectionJob({
    records: hosts,
    tags,
    inventoryOf: hostInventory,
    pin: (host: HostRow, context: JobContext<Input>) => wrapFailure(() => pinKey(host, context)),
    connect: { name: 'connect', run: (host, { signal }) => wrapFailure(() => connect(host, hosts, signal)) },
  }),
})

function requireOwnConnection({ driver, privateKey }: NewHost, caller: Caller): void {
  if (driver === 'ssh') requireOwnKey(caller, privateKey)
  const remedy = 'use driver ssh with a private key of your own'
  if (driver === 'local') refuseForScope(caller, 'driver: local is the machine of a management node', remedy)
}

async function pinKey(host: HostRow, { input, signal, log }: JobContext<Input>) {
  if (host.driver === 'local') return undefined
  const target = { address: host.address, port: host.sshPort ?? 22, username: host.username ?? 'root' }
  const hostKey = await fetchKeyInJob(target, { signal, fingerprint: input.fingerprint })
  const hostKeyFingerprint = fingerprintOf(hostKey)
  log(`the host key is ${hostKeyFingerprint}`)
  return { hostKey, hostKeyFingerprint }
}

async function connect(host: HostRow, hosts: HostService, signal: AbortSignal): Promise<Partial<HostRow>> {
  const driver = await hosts.drivers.of(host)
  const facts = await driver.facts({ signal })
  const usage = await driver.usage('/', { signal })
  const packagesPath = await hosts.newPackagesPath(host, driver, signal)
  return { ...facts, ...usage, packagesPath }
}

/** Wraps a failure in the code for a host that was not added. */
async function wrapFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof ApiError) || !/^HOST\.|^SYS\.1016$/.test(cause.code)) throw cause
    throw new ApiError('HOST.1000', `the host was not added: ${cause.message}`, { cause })
  }
}
