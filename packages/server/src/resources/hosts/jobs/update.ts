import { updateHost } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { fingerprintOf } from '@wharf/ssh/host-key.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { fetchKeyInJob } from '../../../records/first-connection-job.ts'
import {
  type ConnectionChange,
  connectionChangeOf,
  type HostChange,
  refuseUntestedAddress,
  requireConnectionRights,
  requireOwnKeyElsewhere,
  untestedColumns,
} from '../host-change.ts'
import { hostInventory, refuseLeavingScope } from '../host-labels.ts'
import { type HostRow, type HostService, requireWorkOn } from '../service.ts'

/** What is on a host, from the service of software packages. */
export interface PackagesOnHost {
  /** The job that runs there, if any; its subject is a package. */
  findWorkOnHost(uuid: string, from?: Tx): Promise<{ uuid: string; operation: string } | undefined>
}

interface UpdateHostDeps {
  readonly hosts: HostService
  readonly packages: PackagesOnHost
}

interface Input {
  readonly change: HostChange
  readonly connection: ConnectionChange
}

/** Changes that concern no connection are stored at once; another connection is tested first, and stored when it works. */
export const updateHostJob = (deps: UpdateHostDeps): JobOperation<typeof updateHost, Input, Partial<HostRow>> => ({
  operation: updateHost,
  async start({ path: { uuid }, fields, caller, commit }, enqueue) {
    const host = await deps.hosts.get(uuid)
    requireWorkOn(host, caller)
    await deps.hosts.refuseWhileAdding(host)
    // refuses a contradiction before the connection is tested
    refuseLeavingScope(untestedColumns(host, fields), caller)
    const connection = await connectionChangeOf(host, fields)
    refuseUntestedAddress(host, fields, caller)
    if (connection === undefined)
      return commit(async (tx) => ({ inventory: hostInventory(await deps.hosts.change(tx, uuid, fields)) }))
    requireConnectionRights(host, caller)
    requireOwnKeyElsewhere(connection, caller)
    return commit(async (tx) => {
      await refuseDuringWork(deps, host, tx)
      return enqueue(tx, { subject: { uuid, name: host.name }, host, input: { change: fields, connection } })
    })
  },
  steps: [
    step('pin', async (context) => {
      const { address, sshPort, hostKeyFingerprint } = context.input.connection
      if (address === undefined && sshPort === undefined && hostKeyFingerprint === undefined) return {}
      return pinKey(await candidateOf(context, deps.hosts), context, hostKeyFingerprint)
    }),
    step('connect', async (context) => {
      const candidate = await candidateOf(context, deps.hosts)
      const { signal } = context
      await using driver = await deps.hosts.drivers.openApart(candidate)
      const facts = await driver.facts({ signal })
      const usage = await driver.usage('/', { signal })
      const packagesPath = await deps.hosts.newPackagesPath(candidate, driver, signal)
      // its connection would be closed
      await refuseDuringWork(deps, candidate)
      return { ...facts, ...usage, packagesPath }
    }),
  ],
  async succeeded(context, tx) {
    const { change } = context.input
    const host = await deps.hosts.get(context.subjectUuid ?? '', tx)
    const columns = { ...deps.hosts.connectionColumns(host, context.input.connection), ...context.stepResults }
    const connected = { status: 'Connected', errorCode: null, errorDetails: null } as const
    return { inventory: hostInventory(await deps.hosts.change(tx, host.uuid, change, { ...columns, ...connected })) }
  },
})

/** The host as it would be. */
async function candidateOf(context: JobContext<Input, Partial<HostRow>>, hosts: HostService): Promise<HostRow> {
  const { connection } = context.input
  if (connection.privateKey) context.conceal(connection.privateKey)
  const host = await hosts.get(context.subjectUuid ?? '')
  return { ...host, ...hosts.connectionColumns(host, connection), ...context.stepResults }
}

async function pinKey(host: HostRow, { signal, log }: JobContext, fingerprint: string | undefined) {
  const target = { address: host.address, port: host.sshPort ?? 22, username: host.username ?? 'root' }
  const hostKey = await fetchKeyInJob(target, { signal, fingerprint })
  const hostKeyFingerprint = fingerprintOf(hostKey)
  log(`the host key is ${hostKeyFingerprint}`)
  return { hostKey, hostKeyFingerprint }
}

export async function refuseDuringWork(
  { packages }: Pick<UpdateHostDeps, 'packages'>,
  { uuid, name, address }: HostRow,
  tx?: Tx,
) {
  const work = await packages.findWorkOnHost(uuid, tx)
  if (work)
    throw new ApiError(
      'SYS.1005',
      `job ${work.uuid} (${work.operation}) uses the connection to host ${name} (${address}); wait for the job or cancel it, then change the connection`,
    )
}
