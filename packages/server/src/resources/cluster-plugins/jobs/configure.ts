import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { updateClusterConfig } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Call } from '../../../calls/call-context.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { attachmentOf } from '../attachment.ts'
import { checkedConfiguration, checkFields, isSameConfiguration } from '../configuration.ts'
import { requireNetworks } from '../networks.ts'
import { refuseOutOfReach } from '../out-of-reach.ts'
import { refuseOtherCluster, refuseOtherPackage } from '../reattaching.ts'
import type { NewConfiguration } from '../service.ts'
import { configureAlerts } from './alert-platform.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

export interface ConfigureInput {
  readonly pluginUuid: string
  readonly packageUuid: string
  /** The cluster runs already: whatever fails, it stays. */
  readonly isReattached?: boolean
  /** Wharf does not know the configuration of the cluster that runs: only one that signs in to it counts. */
  readonly mustSignIn?: boolean
  /** Absent when an earlier call has begun with this configuration. */
  readonly begun?: NewConfiguration
}

type Context = JobContext<ConfigureInput>

/** The steps that are not done twice, in their order. */
const lasting = ['reach', 'initialise', 'quorum'] as const
type LastingStep = (typeof lasting)[number]
const quorumMs = 120_000
const pollMs = 1000

const initialised = { clusterInitSuccess: true, tokenCreated: true, initSuccess: true }

/** Forms a cluster on an installed package. Steps that an earlier call has finished are skipped. */
export const configureJob = (deps: ClusterJobDeps): JobOperation<typeof updateClusterConfig, ConfigureInput> => {
  const once = (
    name: LastingStep,
    run: (context: Context, deps: ClusterJobDeps) => Promise<void>,
    more: { weight: number; undo?: (context: Context) => Promise<void> },
  ) =>
    step<ConfigureInput, Record<never, never>>(
      name,
      async (context) => {
        const { finishedStep } = await deps.plugins.get(context.input.pluginUuid)
        if (lasting.indexOf(name) <= lasting.indexOf(finishedStep as LastingStep))
          return context.log(`${name} was done before`)
        await run(context, deps)
        await context.write((tx) => deps.plugins.update(tx, context.input.pluginUuid, { finishedStep: name }))
      },
      more,
    )
  return {
    operation: updateClusterConfig,
    async start(call, enqueue) {
      const { plugins, packages } = deps
      const { uuid, softwarePackageUuid: packageUuid } = call.fields
      const valid = await validate(call, deps)
      if (valid === undefined) return initialised
      const { host, isFormed, isReattached, mustSignIn, begun } = valid
      return call.commit(async (tx) => {
        await plugins.refuseTaken(tx, packageUuid, uuid)
        if (!isFormed) await packages.startAction(tx, packageUuid, isReattached ? 'reattach' : 'initialise', 'Initializing')
        const input = { pluginUuid: uuid, packageUuid, isReattached, mustSignIn, ...(begun ? { begun } : {}) }
        return enqueue(tx, { subjectUuid: uuid, input, managementNodeUuid: host.managementNodeUuid })
      })
    },
    steps: [
      step('reach', (context) => reach(context, deps)),
      once('initialise', initialise, {
        weight: 5,
        undo: ({ input, signal }) => deps.packages.endEarlierHooks(input.packageUuid, { signal }),
      }),
      once('quorum', quorum, { weight: 2 }),
      // always run: the next call repeats what failed here
      step('token', (context) => tryToken(context, deps)),
      step('alerts', (context) => attachAlerts(context, deps)),
    ],
    async succeeded({ input }, tx) {
      await deps.packages.update(tx, input.packageUuid, { status: 'Initialized' })
      const { sealedToken } = await deps.plugins.get(input.pluginUuid, tx)
      return { clusterInitSuccess: true, tokenCreated: sealedToken !== null, initSuccess: true }
    },
    async failed({ input }, tx) {
      // a formed cluster stays formed, whatever was to be added to it
      const { finishedStep } = await deps.plugins.get(input.pluginUuid, tx)
      const status = finishedStep === 'quorum' || input.isReattached ? 'Initialized' : 'InitializeFailed'
      await deps.packages.update(tx, input.packageUuid, { status })
    },
  }
}

/** Undefined when the cluster is configured like this already, with token and alerts. */
async function validate(call: Call<typeof updateClusterConfig>, deps: ClusterJobDeps) {
  const { plugins, packages, hosts, ownAddress } = deps
  const { fields } = call
  const { uuid, softwarePackageUuid: packageUuid } = fields
  checkFields(fields)
  const plugin = await plugins.get(uuid)
  const row = await packages.get(packageUuid)
  const host = row.hostUuid === null ? undefined : await hosts.getForWork(row.hostUuid, call.caller)
  refuseOtherPackage(plugin, row)
  const isFormed = plugin.finishedStep === 'quorum'
  // a cluster runs on the package, and no plugin refers to it any more
  const isReattached = !isFormed && row.status === 'Initialized' && !(await plugins.isTaken(packageUuid, uuid))
  const formed = isReattached ? plugins.formedOn(row) : undefined
  const tried = plugin.softwarePackageUuid === packageUuid ? plugins.configurationOf(plugin) : undefined
  const before = formed?.configuration ?? tried
  if (isReattached && before === undefined && fields.password === undefined)
    throw new ApiError(
      'SYS.1006',
      `software package ${row.name} is Initialized, and the password of its cluster is not known; give updateClusterConfig.password, or take the cluster over by its token`,
    )
  const password = (): string => before?.password ?? randomBytes(18).toString('base64url')
  const configuration = checkedConfiguration(fields, { managementIp: plugin.managementIp, password })
  const isSame = tried !== undefined && isSameConfiguration(tried, configuration)
  if (isFormed && !isSame)
    throw new ApiError('SYS.1006', `cluster plugin ${plugin.name} is already configured with other values`)
  if (formed) refuseOtherCluster(plugin, row, formed, configuration)
  if (!isFormed && !isReattached) packages.requireStatus(row, 'initialise')
  if (host === undefined) throw new ApiError('SYS.1005', `software package ${row.name} is on no host`)
  const hooks = packages.manifestOf(row).cluster
  if (hooks?.initialise === undefined)
    throw new ApiError('SoftwarePackage.1132', `software package ${row.name} cannot initialise a cluster`)
  const platform = (await plugins.alertPlatformOf(uuid))?.platform
  if (isFormed && plugin.sealedToken !== null && plugin.attachedAlerts === attachmentOf(platform)) return undefined
  hosts.refuseUnusable(host)
  if (platform) refuseOutOfReach(ownAddress, host)
  const begun: NewConfiguration = {
    configuration,
    packageUuid,
    apiPort: plugin.isPortGiven ? undefined : (formed?.apiPort ?? hooks.apiPort),
    hasMadeUpPassword: formed?.isPasswordUnread ?? (fields.password === undefined && before === undefined),
    // a running cluster is not initialised again: the check of its package verifies that this is its configuration
    isFormed: isReattached,
  }
  const mustSignIn = isReattached && formed === undefined
  return { host, isFormed, isReattached, mustSignIn, begun: isSame ? undefined : begun }
}

async function clusterOf({ input, conceal }: Context, deps: ClusterJobDeps) {
  const plugin = await deps.plugins.get(input.pluginUuid)
  const row = await deps.packages.get(input.packageUuid)
  const configuration = deps.plugins.configurationOf(plugin)
  if (configuration === undefined) throw new Error(`cluster plugin ${plugin.uuid} has no configuration`)
  conceal(configuration.password)
  const cluster = { ...configuration, apiPort: plugin.apiPort }
  return { plugin, row, configuration, cluster, hooks: deps.packages.manifestOf(row).cluster ?? {} }
}

/** Before anything is changed: until here the record says nothing of this configuration. */
async function reach(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { begun, pluginUuid, packageUuid } = context.input
  if (begun === undefined) return context.log('reach was done before')
  const { hostUuid } = await deps.packages.get(packageUuid)
  const { driver } = await deps.hosts.usable(hostUuid ?? '')
  const { managementIp, otherManagementIp, otherStorageIp } = begun.configuration
  await requireNetworks(driver, begun.configuration, context.signal)
  const nodes = [managementIp, ...otherManagementIp, ...otherStorageIp]
  context.log(`${nodes.join(', ')} reach each other, and each has an address in every network`)
  await context.write((tx) => deps.plugins.begin(tx, pluginUuid, begun))
}

async function initialise(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { row, cluster, hooks } = await clusterOf(context, deps)
  if (hooks.initialise === undefined)
    throw new ApiError(
      'SoftwarePackage.1132',
      `software package ${row.name} names no program that initialises a cluster`,
    )
  try {
    await deps.packages.runHook(context, row, 'cluster.initialise', hooks.initialise, { cluster })
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'SoftwarePackage.1300') throw cause
    throw new ApiError('ClusterPlugin.1002', `the cluster was not initialised: ${cause.message}`, { cause })
  }
}

/** A package without a check has formed its cluster when its program says so. */
async function quorum(context: Context, deps: ClusterJobDeps): Promise<void> {
  await waitForQuorum(context, deps)
  if (!context.input.mustSignIn) return
  try {
    await makeToken(context, deps)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    throw new ApiError(
      'ClusterPlugin.1002',
      `the cluster that runs does not accept this configuration: ${cause.message}`,
      { cause },
    )
  }
}

async function waitForQuorum(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { row, cluster, hooks } = await clusterOf(context, deps)
  if (hooks.check === undefined) return
  const deadline = performance.now() + quorumMs
  for (;;) {
    try {
      await deps.packages.runHook(context, row, 'cluster.check', hooks.check, { cluster })
      return
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'SoftwarePackage.1300') throw cause
      if (performance.now() > deadline)
        throw new ApiError(
          'ClusterPlugin.1002',
          `the cluster did not form within ${quorumMs / 1000} s: ${cause.message}`,
          { cause },
        )
    }
    await delay(pollMs, undefined, { signal: context.signal })
  }
}

/** Formed but without a token is a success that says so: the reason stands in the log, and a later call tries again. */
async function tryToken(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { sealedToken } = await deps.plugins.get(context.input.pluginUuid)
  if (sealedToken !== null) return context.log('there is a token already')
  try {
    await makeToken(context, deps)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    context.log(`no token was made: ${error.code} ${error.message}`)
  }
}

async function makeToken(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { plugin, row, cluster, hooks } = await clusterOf(context, deps)
  if (hooks.token === undefined)
    return context.log(`no token was made: software package ${row.name} names no program for it`)
  const made = await deps.packages.runHook(
    context,
    row,
    'cluster.token',
    hooks.token,
    { cluster },
    { secretResult: 'token' },
  )
  const { token } = made as { token?: unknown }
  if (typeof token !== 'string' || token === '') return context.log('no token was made: the program printed none')
  await context.write((tx) => deps.plugins.keepToken(tx, plugin.uuid, token))
}

/** The cluster is there without it too: the reason stands in the log, and a later call tries again. */
async function attachAlerts(context: Context, deps: ClusterJobDeps): Promise<void> {
  try {
    await configureAlerts(context, deps, context.input.pluginUuid)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    context.log(`the component was not told where its alerts go: ${error.code} ${error.message}`)
  }
}
