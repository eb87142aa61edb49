import { setTimeout as delay } from 'node:timers/promises'
import { updateClusterConfig } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { requireNetworks } from '../networks.ts'
import type { NewConfiguration } from '../service.ts'
import { configureAlerts } from './alert-platform.ts'
import type { JobParts } from './parts.ts'

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
const lookMs = 1000

/** From three hosts and an installed package to a cluster. What a former call has finished is not done again. */
export const configureJob = (parts: JobParts) => {
  const once = (
    name: LastingStep,
    run: (context: Context, parts: JobParts) => Promise<void>,
    more: { weight: number; undo?: (context: Context) => Promise<void> },
  ) =>
    step<ConfigureInput, Record<never, never>>(
      name,
      async (context) => {
        const { finishedStep } = await parts.plugins.get(context.input.pluginUuid)
        if (lasting.indexOf(name) <= lasting.indexOf(finishedStep as LastingStep))
          return context.log(`${name} was done before`)
        await run(context, parts)
        await context.write((tx) => parts.plugins.update(tx, context.input.pluginUuid, { finishedStep: name }))
      },
      more,
    )
  return job<typeof updateClusterConfig, ConfigureInput>(
    updateClusterConfig,
    [
      step('reach', (context) => reach(context, parts)),
      once('initialise', initialise, {
        weight: 5,
        undo: ({ input, signal }) => parts.packages.endEarlierHooks(input.packageUuid, { signal }),
      }),
      once('quorum', quorum, { weight: 2 }),
      // what could not be done here is made up for by the next call, so these two are always run
      step('token', (context) => tryToken(context, parts)),
      step('alerts', (context) => attachAlerts(context, parts)),
    ],
    async ({ input }, tx) => {
      await parts.packages.update(tx, input.packageUuid, { status: 'Initialized' })
      const { sealedToken } = await parts.plugins.get(input.pluginUuid, tx)
      return { clusterInitSuccess: true, tokenCreated: sealedToken !== null, initSuccess: true }
    },
    async ({ input }, tx) => {
      // a cluster that has formed stays one, whatever was to be added to it
      const { finishedStep } = await parts.plugins.get(input.pluginUuid, tx)
      const status = finishedStep === 'quorum' || input.isReattached ? 'Initialized' : 'InitializeFailed'
      await parts.packages.update(tx, input.packageUuid, { status })
    },
  )
}

async function clusterOf({ input, conceal }: Context, parts: JobParts) {
  const plugin = await parts.plugins.get(input.pluginUuid)
  const row = await parts.packages.get(input.packageUuid)
  const configuration = parts.plugins.configurationOf(plugin)
  if (configuration === undefined) throw new Error(`cluster plugin ${plugin.uuid} has no configuration`)
  conceal(configuration.password)
  const cluster = { ...configuration, apiPort: plugin.apiPort }
  return { plugin, row, configuration, cluster, hooks: parts.packages.manifestOf(row).cluster ?? {} }
}

/** Before anything is changed: until here the record says nothing of this configuration. */
async function reach(context: Context, parts: JobParts): Promise<void> {
  const { begun, pluginUuid, packageUuid } = context.input
  if (begun === undefined) return context.log('reach was done before')
  const { hostUuid } = await parts.packages.get(packageUuid)
  const { driver } = await parts.hosts.usable(hostUuid ?? '')
  const { managementIp, otherManagementIp, otherStorageIp } = begun.configuration
  await requireNetworks(driver, begun.configuration, context.signal)
  const nodes = [managementIp, ...otherManagementIp, ...otherStorageIp]
  context.log(`${nodes.join(', ')} reach each other, and each has an address in every network`)
  await context.write((tx) => parts.plugins.begin(tx, pluginUuid, begun))
}

async function initialise(context: Context, parts: JobParts): Promise<void> {
  const { row, cluster, hooks } = await clusterOf(context, parts)
  if (hooks.initialise === undefined)
    throw new ApiError(
      'SoftwarePackage.1132',
      `software package ${row.name} names no program that initialises a cluster`,
    )
  try {
    await parts.packages.runHook(context, row, 'cluster.initialise', hooks.initialise, { cluster })
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'SoftwarePackage.1300') throw cause
    throw new ApiError('ClusterPlugin.1002', `the cluster was not initialised: ${cause.message}`, { cause })
  }
}

/** A package without a check has formed its cluster when its program says so. */
async function quorum(context: Context, parts: JobParts): Promise<void> {
  await waitForQuorum(context, parts)
  if (!context.input.mustSignIn) return
  try {
    await makeToken(context, parts)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    throw new ApiError(
      'ClusterPlugin.1002',
      `the cluster that runs does not accept this configuration: ${cause.message}`,
      { cause },
    )
  }
}

async function waitForQuorum(context: Context, parts: JobParts): Promise<void> {
  const { row, cluster, hooks } = await clusterOf(context, parts)
  if (hooks.check === undefined) return
  const deadline = performance.now() + quorumMs
  for (;;) {
    try {
      await parts.packages.runHook(context, row, 'cluster.check', hooks.check, { cluster })
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
    await delay(lookMs, undefined, { signal: context.signal })
  }
}

/** Formed but without a token is a success that says so: the reason stands in the log, and a later call tries again. */
async function tryToken(context: Context, parts: JobParts): Promise<void> {
  const { sealedToken } = await parts.plugins.get(context.input.pluginUuid)
  if (sealedToken !== null) return context.log('there is a token already')
  try {
    await makeToken(context, parts)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    context.log(`no token was made: ${error.code} ${error.message}`)
  }
}

async function makeToken(context: Context, parts: JobParts): Promise<void> {
  const { plugin, row, cluster, hooks } = await clusterOf(context, parts)
  if (hooks.token === undefined)
    return context.log(`no token was made: software package ${row.name} names no program for it`)
  const made = await parts.packages.runHook(
    context,
    row,
    'cluster.token',
    hooks.token,
    { cluster },
    { secretResult: 'token' },
  )
  const { token } = made as { token?: unknown }
  if (typeof token !== 'string' || token === '') return context.log('no token was made: the program printed none')
  await context.write((tx) => parts.plugins.keepToken(tx, plugin.uuid, token))
}

/** The cluster is there without it too: the reason stands in the log, and a later call tries again. */
async function attachAlerts(context: Context, parts: JobParts): Promise<void> {
  try {
    await configureAlerts(context, parts, context.input.pluginUuid)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    context.log(`the component was not told where its alerts go: ${error.code} ${error.message}`)
  }
}
