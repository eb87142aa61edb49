import type { PackageHook } from '@wharf/archives/manifest.ts'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, type JobFailure, type Step, step } from '../../../jobs/definition.ts'
import { manifestOf } from '../configuration.ts'
import { expectedFiles } from '../hook-files.ts'
import { folderOf, runHook } from '../hooks.ts'
import { secretsOf } from '../kept-configuration.ts'
import type { PackageRow } from '../store.ts'
import type { PackageJobDeps } from './package-job-deps.ts'

/** One version of a piece of software on a host takes the place of another, or of none. */
export interface Replacement {
  /** The version to install. */
  readonly packageUuid: string
  readonly config: unknown
  /** The installed version, which a failure restores; null when none is installed. */
  readonly fromUuid: string | null
  /** `hello 1.0.0 on host web-1`, for the failure. */
  readonly fromName: string
  /** The new version may have a hook that replaces the old one. */
  readonly isUpgrade: boolean
}

/** How far the hooks have come: only what was started is undone. */
export interface ReplacementResults {
  isUninstallStarted: boolean
  isInstallStarted: boolean
  /** The installed version is installed again; its verification may have failed. */
  isRestored: boolean
}

type Context = JobContext<Replacement, ReplacementResults>

/** The hooks of an undo have the time that an installation has. */
const hookUndoTimeoutMs = 2 * 60 * 60_000
/** A hook that has failed would fail again; a connection may return. */
const isUndoRetried = ({ code }: ApiError): boolean => code !== 'SoftwarePackage.1300' && code !== 'SYS.1001'
const undoOptions = { undoTimeoutMs: hookUndoTimeoutMs, isUndoRetried }

/** From the hooks of the installed version to the verification of the new one. */
export const replacementSteps = <Input extends Replacement, Results extends ReplacementResults>(
  deps: PackageJobDeps,
): readonly Step<Input, Results>[] => {
  const typed = (context: JobContext<Input, Results>) => context as unknown as Context
  return [
    step('uninstall', (context) => uninstallFormer(typed(context), deps), {
      undo: (context) => restore(typed(context), deps),
      weight: 2,
      ...undoOptions,
    }),
    step('install', (context) => installNew(typed(context), deps), {
      undo: (context) => uninstallNew(typed(context), deps),
      weight: 5,
      ...undoOptions,
    }),
    step('verify', (context) => verifyNew(typed(context), deps)),
  ]
}

async function versionsOf({ input, conceal }: Context, { packages }: PackageJobDeps) {
  const to = await packages.get(input.packageUuid)
  const from = input.fromUuid === null ? undefined : await packages.get(input.fromUuid)
  // installed by an older version that kept no configuration, or without one
  const fromConfig = from === undefined ? null : (packages.configs.open(from) ?? { config: {} }).config
  for (const secret of secretsOf(to, input.config)) conceal(secret)
  if (from) for (const secret of secretsOf(from, fromConfig)) conceal(secret)
  const upgrade = input.isUpgrade && from ? manifestOf(to).upgrade : undefined
  return { to, from, fromConfig, upgrade }
}

/** Also on a host that is Disabled or Disconnected meanwhile: what was started there must be undone. */
async function driverOf({ hostUuid }: PackageRow, { hosts }: PackageJobDeps) {
  const host = await hosts.get(hostUuid ?? '')
  if (hosts.isElsewhere(host))
    throw new ApiError(
      'HOST.1010',
      `host ${host.name} is the machine of management node ${host.managementNodeUuid}; start that node`,
    )
  return hosts.drivers.of(host)
}

async function run(
  context: Context,
  deps: PackageJobDeps,
  row: PackageRow,
  { name, hook, input }: { name: string; hook: PackageHook | undefined; input: object },
): Promise<void> {
  if (hook === undefined) return
  context.log(`running ${name} of ${row.softwareName} ${row.version}`)
  const driver = await driverOf(row, deps)
  const files = expectedFiles(row, hook.run)
  await runHook(context, { driver, hook, name, folder: folderOf(row), input, files, subject: row.uuid })
}

/** Nothing when the new version replaces the installed one itself. */
async function uninstallFormer(context: Context, deps: PackageJobDeps): Promise<void> {
  const { from, upgrade } = await versionsOf(context, deps)
  if (from === undefined || upgrade !== undefined) return
  await context.checkpoint({ isUninstallStarted: true })
  await run(context, deps, from, { name: 'uninstall', hook: manifestOf(from).uninstall, input: {} })
}

async function installNew(context: Context, deps: PackageJobDeps): Promise<void> {
  const { to, from, fromConfig, upgrade } = await versionsOf(context, deps)
  const { config } = context.input
  await context.checkpoint({ isInstallStarted: true })
  if (from === undefined || upgrade === undefined)
    return run(context, deps, to, { name: 'install', hook: manifestOf(to).install, input: { config } })
  const former = { version: from.version, packageDir: folderOf(from), config: fromConfig }
  await run(context, deps, to, { name: 'upgrade', hook: upgrade, input: { config, from: former } })
}

async function verifyNew(context: Context, deps: PackageJobDeps): Promise<void> {
  const { to } = await versionsOf(context, deps)
  const { config } = context.input
  await run(context, deps, to, { name: 'verify', hook: manifestOf(to).verify, input: { config } })
}

async function uninstallNew(context: Context, deps: PackageJobDeps): Promise<void> {
  const { to } = await versionsOf(context, deps)
  if (!context.stepResults.isInstallStarted) return
  await deps.packages.endEarlierHooks(to.uuid, { signal: context.signal })
  await run(context, deps, to, { name: 'uninstall', hook: manifestOf(to).uninstall, input: {} })
}

/** Runs after `uninstallNew`: the host is as it was before. */
async function restore(context: Context, deps: PackageJobDeps): Promise<void> {
  const { from, fromConfig: config } = await versionsOf(context, deps)
  const { isUninstallStarted, isInstallStarted, isRestored } = context.stepResults
  if (from === undefined || !(isUninstallStarted || isInstallStarted)) return
  if (!isRestored) {
    await run(context, deps, from, { name: 'install', hook: manifestOf(from).install, input: { config } })
    await context.checkpoint({ isRestored: true })
  }
  await run(context, deps, from, { name: 'verify', hook: manifestOf(from).verify, input: { config } })
}

const hookFailures = ({ stepResults }: Context, { undoFailures }: JobFailure) =>
  stepResults.isUninstallStarted || stepResults.isInstallStarted
    ? undoFailures.filter(({ step: name }) => name === 'uninstall' || name === 'install')
    : []

/** The failure names what the host is left with: the version that it had, or parts of both. */
export function describeReplacementFailure(context: JobContext<Replacement, ReplacementResults>, result: JobFailure) {
  const failed = hookFailures(context, result)
  if (failed.length === 0) return withKeptVersion(context, result.failure)
  const { fromName, fromUuid } = context.input
  const reasons = failed.map(({ step: name, failure }) =>
    name === 'install'
      ? `the new version could not be uninstalled: ${failure.message}`
      : `the earlier version could not be restored: ${failure.message}`,
  )
  const left = fromUuid === null ? 'the host may have parts of the new version' : `check ${fromName}`
  const first = `${result.failure.code} ${result.failure.message}`
  return new ApiError(
    'SoftwarePackage.1310',
    `RollbackFailed: ${reasons.join('; ')}; ${left}. It failed first: ${first}`,
    {
      cause: result.failure,
    },
  )
}

function withKeptVersion({ input, stepResults }: Context, failure: ApiError): ApiError {
  const { fromUuid, fromName, isUpgrade } = input
  if (fromUuid === null) return failure
  const { code, message, status, cause } = failure
  const kept =
    stepResults.isUninstallStarted || stepResults.isInstallStarted
      ? `The ${isUpgrade ? 'earlier' : 'current'} version was restored: ${fromName} is installed again.`
      : `${fromName} was not changed.`
  // on a line of its own, because the failure may end with what a hook has printed
  return new ApiError(code, `${message}\n${kept}`, { status, cause })
}

/** In the commit that ends a failed job: the status and health of the version that was installed before. */
export async function recordRestored(
  context: JobContext<Replacement, ReplacementResults>,
  tx: Tx,
  result: JobFailure,
  { packages }: PackageJobDeps,
): Promise<void> {
  const { fromUuid } = context.input
  const { isUninstallStarted, isInstallStarted, isRestored } = context.stepResults
  const from = fromUuid === null ? undefined : await packages.find(fromUuid, tx)
  if (from === undefined || !(isUninstallStarted || isInstallStarted)) return
  const failed = hookFailures(context, result).find(({ step: name }) => name === 'uninstall')
  if (failed && !isRestored) await packages.update(tx, from.uuid, { status: 'InstallFailed' })
  const hasVerify = manifestOf(from).verify !== undefined
  await packages.recordHealth(tx, from, failed ? 'Unhealthy' : hasVerify ? 'Healthy' : 'Unknown', failed?.failure)
}

/** In the commit that ends the job: the new version is installed, and the former one is kept on the host. */
export async function recordReplaced(
  { input }: JobContext<Replacement>,
  tx: Tx,
  { packages }: PackageJobDeps,
  more: Partial<PackageRow> = {},
): Promise<PackageRow> {
  const to = await packages.get(input.packageUuid, tx)
  const former = input.fromUuid === null ? undefined : await packages.get(input.fromUuid, tx)
  await packages.recordInstalled(tx, to, input.config, {
    ...more,
    upgradeLock: null,
    ...(input.isUpgrade && former ? { previousUuid: former.uuid } : {}),
  })
  if (former) await packages.recordSuperseded(tx, former)
  return packages.get(to.uuid, tx)
}
