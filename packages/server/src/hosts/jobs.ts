import { addHost } from '@wharf/contract'
import { type JobContext, job, step } from '../jobs/definition.ts'
import { ApiError } from '../platform/api-error.ts'
import { fetchHostKey } from '../ssh/fetch-host-key.ts'
import { fingerprintOf } from '../ssh/host-key.ts'
import type { HostService } from './service.ts'

interface Input {
  hostUuid: string
  fingerprint?: string | undefined
}

type Context = JobContext<Input>

/** Pin the key, sign in, look around; a host that cannot be reached leaves no record. */
export const addHostJob = (hosts: HostService) =>
  job<typeof addHost, Input>(
    addHost,
    [
      step('pin', (context) => cannotAdd(() => pinKey(context, hosts)), { undo: (context) => forget(context, hosts) }),
      step('connect', (context) => cannotAdd(() => connect(context, hosts))),
    ],
    async ({ input }, tx) => ({ inventory: await hosts.get(input.hostUuid, tx) }),
  )

async function pinKey({ input, signal, write, log }: Context, hosts: HostService): Promise<void> {
  const host = await hosts.get(input.hostUuid)
  if (host.driver === 'local') return
  const target = { address: host.address, port: host.sshPort ?? 22, username: host.username ?? 'root' }
  const hostKey = await fetchHostKey(target, {
    signal,
    ...(input.fingerprint === undefined ? {} : { fingerprint: input.fingerprint }),
  })
  const hostKeyFingerprint = fingerprintOf(hostKey)
  log(`the host key is ${hostKeyFingerprint}`)
  await write((tx) => hosts.update(tx, host.uuid, { hostKey, hostKeyFingerprint }))
}

async function connect({ input, signal, write }: Context, hosts: HostService): Promise<void> {
  const host = await hosts.get(input.hostUuid)
  const driver = await hosts.drivers.of(host)
  const facts = await driver.facts({ signal })
  const usage = await driver.usage('/', { signal })
  const packagesPath = await hosts.newPackagesPath(host, driver, signal)
  await write((tx) => hosts.update(tx, host.uuid, { ...facts, ...usage, packagesPath, status: 'Connected' }))
}

async function forget({ input, write }: Context, hosts: HostService): Promise<void> {
  await write((tx) => hosts.deleteIfThere(tx, input.hostUuid))
}

/** The reason is told twice: what was wanted, and why it did not work. */
async function cannotAdd<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof ApiError) || !/^HOST\.|^SYS\.1016$/.test(cause.code)) throw cause
    throw new ApiError('HOST.1000', `the host was not added: ${cause.message}`, { cause })
  }
}
