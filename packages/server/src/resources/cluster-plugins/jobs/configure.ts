import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { updateClusterConfig } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Call } from '../../../calls/call-context.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { attachmentOf, refuseLoopbackAlerts } from '../alert-state.ts'
import { isSameConfiguration, resolveConfiguration, validateFields } from '../configuration.ts'
import { requireNetworks } from '../networks.ts'
import { refuseOtherCluster, refuseOtherPackage } from '../reattachment.ts'
import type { NewConfiguration } from '../service.ts'
import { configureAlerts } from './alert-platform.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

export interface ConfigureInput {
  readonly pluginUuid: string
  readonly packageUuid: string
  /** The cluster already runs: a failure does not change its status. */
  readonly isReattached?: boolean
  /** Wharf has no configuration of the running cluster: this one is accepted only when it can sign in. */
  readonly mustSignIn?: boolean
  /** Absent when an earlier call has stored this configuration. Jobs of 1.0 are stored with this name. */
  readonly begun?: NewConfiguration
}

type Context = JobContext<ConfigureInput>

/** The steps that a later call skips when they are finished, in their order. */
const resumableSteps = ['reach', 'initialise', 'quorum'] as const
type ResumableStep = (typeof resumableSteps)[number]
const quorumTimeoutMs = 120_000
const pollMs = 1000

const successResult = { clusterInitSuccess: true, tokenCreated: true, initSuccess: true }

/** Forms a cluster on an installed package. Steps that an earlier call has finished are skipped. */
export const configureJob = (deps: ClusterJobDeps): JobOperation<typeof updateClusterConfig, ConfigureInput> => {
  const resumableStep = (
    name: ResumableStep,
    run: (context: Context, deps: ClusterJobDeps) => Promise<void>,
    more: { weight: number; undo?: (context: Context) => Promise<void> },
  ) =>
    step<ConfigureInput, Record<never, never>>(
      name,
      async (context) => {
        const { finishedStep } = await deps.plugins.get(context.input.pluginUuid)
        if (resumableSteps.indexOf(name) <= resumableSteps.indexOf(finishedStep as ResumableStep))
          return context.log(`${name} was finished before`)
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
      if (valid === undefined) return successResult
      const { plugin, host, isFormed, isReattached, mustSignIn, newConfiguration } = valid
      return call.commit(async (tx) => {
        await plugins.refusePackageInUse(tx, packageUuid, uuid)
        if (!isFormed)
          await packages.startAction(tx, packageUuid, isReattached ? 'reattach' : 'initialise', 'Initializing')
        const begun = newConfiguration ? { begun: newConfiguration } : {}
        const input = { pluginUuid: uuid, packageUuid, isReattached, mustSignIn, ...begun }
        return enqueue(tx, {
          subject: plugin,
          host,
          input,
          managementNodeUuid: host.managementNodeUuid,
        })
      })
    },
    steps: [
      step('reach', (context) => reach(context, deps)),
      resumableStep('initialise', initialise, {
        weight: 5,
        undo: ({ input, signal }) => deps.packages.endEarlierHooks(input.packageUuid, { signal }),
      }),
      resumableStep('quorum', quorum, { weight: 2 }),
      // run by every call, so that the next one repeats what failed
      step('token', (context) => tryToken(context, deps)),
      step('alerts', (context) => attachAlerts(context, deps)),
    ],
    async succeeded({ input }, tx) {
      await deps.packages.update(tx, input.packageUuid, { status: 'Initialized' })
      const { sealedToken } = await deps.plugins.get(input.pluginUuid, tx)
      return { clusterInitSuccess: true, tokenCreated: sealedToken !== null, initSuccess: true }
    },
    async failed({ input }, tx) {
      // a formed cluster stays formed when a later addition fails
      const { finishedStep } = await deps.plugins.get(input.pluginUuid, tx)
      const status = finishedStep === 'quorum' || input.isReattached ? 'Initialized' : 'InitializeFailed'
      await deps.packages.update(tx, input.packageUuid, { status })
    },
  }
}

/** Undefined when the cluster already has this configuration, a token and its alerts. */
async function validate(call: Call<typeof updateClusterConfig>, deps: ClusterJobDeps) {
  const { plugins, packages, hosts, ownAddress } = deps
  const { fields } = call
  const { uuid, softwarePackageUuid: packageUuid } = fields
  validateFields(fields)
  const plugin = await plugins.get(uuid)
  const row = await packages.get(packageUuid)
  const host = row.hostUuid === null ? undefined : await hosts.getForWork(row.hostUuid, call.caller)
  refuseOtherPackage(plugin, row)
  const isFormed = plugin.finishedStep === 'quorum'
  // a cluster runs on the package, and its plugin was removed
  const isReattached = !isFormed && row.status === 'Initialized' && !(await plugins.isPackageInUse(packageUuid, uuid))
  const formed = isReattached ? plugins.formedOn(row) : undefined
  const stored = plugin.softwarePackageUuid === packageUuid ? plugins.configurationOf(plugin) : undefined
  const previous = formed?.configuration ?? stored
  if (isReattached && previous === undefined && fields.password === undefined)
    throw new ApiError(
      'SYS.1006',
      `software package ${row.name} is Initialized, and the password of its cluster is not known; give updateClusterConfig.password, or take the cluster over by its token`,
    )
  const password = (): string => previous?.password ?? randomBytes(18).toString('base64url')
  const configuration = resolveConfiguration(fields, { managementIp: plugin.managementIp, password })
  const isSame = stored !== undefined && isSameConfiguration(stored, configuration)
  if (isFormed && !isSame)
    throw new ApiError(
      'SYS.1006',
      `cluster plugin ${plugin.name} is already configured with other values; send the same ones, or remove it and configure a new cluster`,
    )
  if (formed) refuseOtherCluster(plugin, row, formed, configuration)
  if (!isFormed && !isReattached) packages.requireStatus(row, 'initialise')
  if (host === undefined)
    throw new ApiError('SYS.1005', `software package ${row.name} is not on a host; install it on one first`)
  const hooks = packages.manifestOf(row).cluster
  if (hooks?.initialise === undefined)
    throw new ApiError(
      'SoftwarePackage.1132',
      `software package ${row.name} cannot initialise a cluster; choose one whose wharf.json names cluster.initialise`,
    )
  const platform = (await plugins.alertPlatformOf(uuid))?.platform
  if (isFormed && plugin.sealedToken !== null && plugin.attachedAlerts === attachmentOf(platform)) return undefined
  hosts.refuseUnusable(host)
  if (platform) refuseLoopbackAlerts(ownAddress, host)
  const newConfiguration: NewConfiguration = {
    configuration,
    packageUuid,
    apiPort: plugin.isPortGiven ? undefined : (formed?.apiPort ?? hooks.apiPort),
    hasMadeUpPassword: formed?.isPasswordUnread ?? (fields.password === undefined && previous === undefined),
    // a running cluster is not initialised again: the check of its package verifies that this is its configuration
    isFormed: isReattached,
  }
  const mustSignIn = isReattached && formed === undefined
  return { plugin, host, isFormed, isReattached, mustSignIn, newConfiguration: isSame ? undefined : newConfiguration }
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

/** Runs before any change; the record has this configuration only after it succeeds. */
async function reach(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { begun: newConfiguration, pluginUuid, packageUuid } = context.input
  if (newConfiguration === undefined) return context.log('reach was finished before')
  const { hostUuid } = await deps.packages.get(packageUuid)
  const { driver } = await deps.hosts.usable(hostUuid ?? '')
  const { managementIp, otherManagementIp, otherStorageIp } = newConfiguration.configuration
  await requireNetworks(driver, newConfiguration.configuration, context.signal)
  const nodes = [managementIp, ...otherManagementIp, ...otherStorageIp]
  context.log(`${nodes.join(', ')} reach each other, and each has an address in every network`)
  await context.write((tx) => deps.plugins.startConfiguration(tx, pluginUuid, newConfiguration))
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

/** Without a check, the cluster has formed when the initialise program succeeds. */
async function quorum(context: Context, deps: ClusterJobDeps): Promise<void> {
  await waitForQuorum(context, deps)
  if (!context.input.mustSignIn) return
  try {
    await createToken(context, deps)
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
  const deadline = performance.now() + quorumTimeoutMs
  for (;;) {
    try {
      await deps.packages.runHook(context, row, 'cluster.check', hooks.check, { cluster })
      return
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'SoftwarePackage.1300') throw cause
      if (performance.now() > deadline)
        throw new ApiError(
          'ClusterPlugin.1002',
          `the cluster did not form within ${quorumTimeoutMs / 1000} s: ${cause.message}`,
          { cause },
        )
    }
    await delay(pollMs, undefined, { signal: context.signal })
  }
}

/** A cluster without a token is a success: the reason is logged, and a later call tries again. */
async function tryToken(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { sealedToken } = await deps.plugins.get(context.input.pluginUuid)
  if (sealedToken !== null) return context.log('a token already exists')
  try {
    await createToken(context, deps)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    context.log(`no token was created: ${error.code} ${error.message}`)
  }
}

async function createToken(context: Context, deps: ClusterJobDeps): Promise<void> {
  const { plugin, row, cluster, hooks } = await clusterOf(context, deps)
  if (hooks.token === undefined)
    return context.log(`no token was created: software package ${row.name} names no program for it`)
  const result = await deps.packages.runHook(
    context,
    row,
    'cluster.token',
    hooks.token,
    { cluster },
    { secretResult: 'token' },
  )
  const { token } = result as { token?: unknown }
  if (typeof token !== 'string' || token === '') return context.log('no token was created: the program printed none')
  await context.write((tx) => deps.plugins.storeToken(tx, plugin.uuid, token))
}

/** The cluster works without alerts: the reason is logged, and a later call tries again. */
async function attachAlerts(context: Context, deps: ClusterJobDeps): Promise<void> {
  try {
    await configureAlerts(context, deps, context.input.pluginUuid)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    context.log(`the alerts of the component were not configured: ${error.code} ${error.message}`)
  }
}
