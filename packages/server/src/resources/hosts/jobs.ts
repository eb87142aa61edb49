import { addHost } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { isTransientFailure } from '@wharf/ssh/failure.ts'
import { fetchHostKey } from '@wharf/ssh/fetch-host-key.ts'
import { fingerprintOf } from '@wharf/ssh/host-key.ts'
import type { JobOperation } from '../../calls/job-operation.ts'
import { type JobContext, step } from '../../jobs/definition.ts'
import { retryInJob } from '../../jobs/retry-in-job.ts'
import type { TagService } from '../tags/service.ts'
import type { HostRow, HostService } from './service.ts'

interface Input {
  hostUuid: string
  fingerprint?: string | undefined
}

/** The columns that the steps found. */
type Memory = Partial<HostRow>

type Context = JobContext<Input, Memory>

/**
 * Pins the key, signs in and queries the host. A host that cannot be reached leaves no record, whichever node ends the job.
 * Until it is added it is Connecting, so nothing refers to it.
 */
export const addHostJob = ({
  hosts,
  tags,
}: {
  hosts: HostService
  tags: TagService
}): JobOperation<typeof addHost, Input, Memory> => ({
  operation: addHost,
  async start(call, enqueue) {
    const { tagUuids, ...host } = call.fields
    const checked = await hosts.check(host)
    return call.commit(async (tx) => {
      const { uuid, managementNodeUuid } = await hosts.create(tx, checked)
      await tags.attach(tx, { resourceUuid: uuid, resourceType: 'Host', tags: call.tags, tagUuids })
      const input = { hostUuid: uuid, fingerprint: host.hostKeyFingerprint }
      return enqueue(tx, { subject: { uuid, name: host.name }, input, managementNodeUuid })
    })
  },
  steps: [
    step('pin', (context) => wrapFailure(() => pinKey(context, hosts))),
    step('connect', (context) => wrapFailure(() => connect(context, hosts))),
  ],
  async succeeded({ input, memory }, tx) {
    await hosts.update(tx, input.hostUuid, { ...memory, status: 'Connected' })
    return { inventory: await hosts.get(input.hostUuid, tx) }
  },
  async failed({ input }, tx) {
    await hosts.deleteIfConnecting(tx, input.hostUuid)
    await tags.detachAll(tx, input.hostUuid)
  },
})

async function pinKey({ input, signal, write, log }: Context, hosts: HostService): Promise<void> {
  const host = await hosts.get(input.hostUuid)
  if (host.driver === 'local') return
  const target = { address: host.address, port: host.sshPort ?? 22, username: host.username ?? 'root' }
  const { fingerprint } = input
  const hostKey = await retryInJob((attempt) => fetchHostKey(target, { signal, attempt, fingerprint }), {
    signal,
    isTransient: isTransientFailure,
  })
  const hostKeyFingerprint = fingerprintOf(hostKey)
  log(`the host key is ${hostKeyFingerprint}`)
  await write((tx) => hosts.update(tx, host.uuid, { hostKey, hostKeyFingerprint }))
}

async function connect({ input, signal }: Context, hosts: HostService): Promise<Memory> {
  const host = await hosts.get(input.hostUuid)
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
