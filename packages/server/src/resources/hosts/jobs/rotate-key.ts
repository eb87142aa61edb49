import { rotateHostKey } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { generateKeyPair } from '@wharf/ssh/private-key.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { addAuthorizedKey, removeAuthorizedKey } from '../authorized-keys.ts'
import { hostInventory } from '../host-labels.ts'
import { type HostRow, type HostService, requireWorkOn } from '../service.ts'
import { type PackagesOnHost, refuseDuringWork } from './update.ts'

interface RotateKeyDeps {
  readonly hosts: HostService
  readonly packages: PackagesOnHost
  /** Backup storage on the same machine may sign in with the key of the server. */
  readonly backupStorage: { usesServerKeyAt(address: string): Promise<boolean> }
}

interface Results {
  readonly privateKey: string
  readonly publicKey: string
  readonly formerPublicKey: string
  /** Other records sign in to this machine with the former key: it stays there. */
  readonly isFormerShared: boolean
}

type Context = JobContext<object, Results>

export const rotateHostKeyJob = (deps: RotateKeyDeps): JobOperation<typeof rotateHostKey, object, Results> => ({
  operation: rotateHostKey,
  async start({ path: { uuid }, caller, commit }, enqueue) {
    const host = await deps.hosts.get(uuid)
    requireWorkOn(host, caller)
    await deps.hosts.refuseWhileAdding(host)
    if (host.driver === 'local')
      throw new ApiError(
        'SYS.1005',
        `host ${host.name} has the driver local, which does not use SSH: it has no key to rotate`,
      )
    return commit(async (tx) => {
      await refuseDuringWork(deps, host, tx)
      return enqueue(tx, { subject: { uuid, name: host.name }, host, input: {} })
    })
  },
  steps: [
    step<object, Results>('generate', async (context) => {
      const host = await hostOf(context, deps.hosts)
      const formerPublicKey = await deps.hosts.publicKeyOf(host)
      const isFormerShared = await isKeyShared(host, deps)
      const { privateKey, publicKey } = await generateKeyPair()
      context.conceal(privateKey.reveal())
      return { privateKey: privateKey.reveal(), publicKey, formerPublicKey, isFormerShared }
    }),
    step<object, Results>(
      'install',
      async (context) => {
        const { publicKey } = resultsOf(context)
        const host = await hostOf(context, deps.hosts)
        await addAuthorizedKey(await deps.hosts.drivers.of(host), publicKey, context.signal)
      },
      {
        undo: async (context) => {
          const { publicKey, privateKey } = context.stepResults
          const host = await hostOf(context, deps.hosts)
          // the host signs in with it already: without it nobody could
          if (publicKey === undefined || privateKey === undefined || deps.hosts.signsInWith(host, privateKey)) return
          await removeAuthorizedKey(await deps.hosts.drivers.of(host), publicKey, context.signal)
        },
      },
    ),
    step<object, Results>('sign-in', async (context) => {
      const host = await hostOf(context, deps.hosts)
      const { privateKey } = resultsOf(context)
      const candidate = { ...host, ...deps.hosts.connectionColumns(host, { privateKey }) }
      await using driver = await deps.hosts.drivers.openApart(candidate)
      await driver.facts({ signal: context.signal })
    }),
    step<object, Results>('store', async (context) => {
      const { privateKey } = resultsOf(context)
      const host = await hostOf(context, deps.hosts)
      await context.write(async (tx: Tx) => {
        // its connection would be closed
        await refuseDuringWork(deps, host, tx)
        if (!deps.hosts.signsInWith(await deps.hosts.get(host.uuid, tx), privateKey))
          await deps.hosts.change(tx, host.uuid, {}, deps.hosts.connectionColumns(host, { privateKey }))
      })
    }),
    step<object, Results>('remove', async (context) => {
      const { formerPublicKey, isFormerShared } = resultsOf(context)
      const host = await hostOf(context, deps.hosts)
      if (isFormerShared)
        return context.log('the key of the server stays on the host: other hosts or storage at this address use it')
      try {
        await removeAuthorizedKey(await deps.hosts.drivers.of(host), formerPublicKey, context.signal)
      } catch (cause) {
        throw new ApiError(
          'SYS.1016',
          `host ${host.name} (${host.address}) signs in with its new key, but the former one is still in ~/.ssh/authorized_keys of ${host.username}: ${(cause as Error).message}. Remove this line there: ${formerPublicKey}`,
          { cause },
        )
      }
    }),
  ],
  async succeeded(context, tx) {
    return { inventory: hostInventory(await deps.hosts.get(context.subjectUuid ?? '', tx)) }
  },
})

const hostOf = ({ subjectUuid }: Context, hosts: HostService): Promise<HostRow> => hosts.get(subjectUuid ?? '')

/** What the first step stored. */
function resultsOf({ stepResults, conceal }: Context): Results {
  const { privateKey = '', publicKey = '', formerPublicKey = '', isFormerShared = false } = stepResults
  conceal(privateKey)
  return { privateKey, publicKey, formerPublicKey, isFormerShared }
}

async function isKeyShared(host: HostRow, { hosts, backupStorage }: RotateKeyDeps): Promise<boolean> {
  if (host.sealedPrivateKey !== null) return false
  return (await hosts.sharesServerKey(host)) || (await backupStorage.usesServerKeyAt(host.address))
}
