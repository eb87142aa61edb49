import type { Role } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { requireWorkOn } from '../hosts/service.ts'
import type { PackageRow } from '../software-packages/service.ts'
import { refuseLoopbackAlerts } from './alert-state.ts'
import { answerTimeoutMs, requireTokenAccepted, tokenRefused } from './component.ts'
import { componentAddresses } from './component-access.ts'
import { addressesOf, type ComponentPackage, findComponentPackage } from './component-package.ts'
import type { ClusterJobDeps } from './jobs/cluster-job-deps.ts'
import type { ClusterPluginRow } from './store.ts'

interface RunningComponent extends Requester {
  readonly managementIp: string
  readonly apiPort: number
  /** Without it, the port is that of the package. */
  readonly isPortGiven: boolean
  readonly adminToken: string
}

/** The role of the caller decides about access to the machine of the server; earlier versions did not record it. */
export interface Requester {
  readonly role?: Role | undefined
}

export interface TakenOver {
  readonly apiPort: number
  /** The package managed by Wharf that runs the component, if any. */
  readonly packageUuid: string | null
}

/** The input of the hooks for a cluster whose configuration Wharf does not have. */
export async function takeoverInput(
  { managementIp, apiPort }: { managementIp: string; apiPort: number },
  token: string,
) {
  const [address = managementIp] = await addressesOf(managementIp)
  return { cluster: { managementIp: address, apiPort }, token, takeover: true }
}

/**
 * Verifies the token with the check of an installed package of its kind, because some components answer /health without
 * authentication; without such a package, with /health.
 */
export async function takeOver(
  context: JobContext,
  deps: ClusterJobDeps,
  running: RunningComponent,
): Promise<TakenOver> {
  const { managementIp, isPortGiven, adminToken: token, role } = running
  const { found, unchecked } = await findComponentPackage(context, deps, {
    managementIp,
    apiPort: isPortGiven ? running.apiPort : undefined,
  })
  const apiPort = found?.apiPort ?? running.apiPort
  await deps.plugins.refuseDuplicate({ managementIp, apiPort }, undefined)
  if (found === undefined) {
    await requireTokenWithoutPackage(context, deps, { managementIp, apiPort, role }, token)
    if (unchecked.length > 0)
      context.log(
        `these hosts could not be checked for ${managementIp}: ${unchecked.join('; ')}. If the component runs on one of them, attach its alerts again when the host is usable, by a call to its own management node where it is one`,
      )
    context.log(
      `no software package managed by Wharf was found for port ${apiPort} at ${managementIp}: the record is created, and nothing is changed at the component. To receive its alerts, create its alert platform: it shows the address and the token to enter in the Alertmanager of the component`,
    )
    return { apiPort, packageUuid: null }
  }
  await requireToken(context, deps, { ...found, managementIp, role }, token)
  context.log(`software package ${found.row.name} runs the component at ${managementIp} port ${apiPort}`)
  return { apiPort, packageUuid: found.row.uuid }
}

/** Verifies another token of a component that was added. */
export async function verifyToken(
  context: JobContext,
  deps: ClusterJobDeps,
  plugin: ClusterPluginRow,
  { token, role }: Requester & { token: string },
): Promise<void> {
  const { managementIp, apiPort, softwarePackageUuid } = plugin
  if (softwarePackageUuid === null)
    return requireTokenWithoutPackage(context, deps, { managementIp, apiPort, role }, token)
  const row = await deps.packages.get(softwarePackageUuid)
  const configuration = deps.plugins.configurationOf(plugin)
  const formed = configuration && { configuration, apiPort, isPasswordUnread: false }
  await requireToken(context, deps, { row, apiPort, formed, managementIp, role }, token)
}

/** Runs the check of the package that runs the component. */
async function requireToken(
  context: JobContext,
  deps: ClusterJobDeps,
  { row, apiPort, formed, managementIp, role }: ComponentPackage & Requester & { managementIp: string },
  token: string,
): Promise<void> {
  requireWorkOn(await deps.hosts.get(row.hostUuid ?? ''), { role })
  const hook = deps.packages.manifestOf(row).cluster?.check
  if (hook === undefined) return requireTokenWithoutPackage(context, deps, { managementIp, apiPort, role }, token)
  if (formed) context.conceal(formed.configuration.password)
  const input = formed
    ? { cluster: { ...formed.configuration, apiPort }, token }
    : await takeoverInput({ managementIp, apiPort }, token)
  await runCheck(context, deps, row, input)
}

/** Runs the check of a package of the same kind on another host, or else queries the component itself. */
async function requireTokenWithoutPackage(
  context: JobContext,
  deps: ClusterJobDeps,
  { managementIp, apiPort, role }: Requester & { managementIp: string; apiPort: number },
  token: string,
): Promise<void> {
  const { downloadAllow: allow, componentHttp: plainHttp, caFile } = deps.settings
  const access = { allow, mayReachThisMachine: role === 'admin', signal: context.signal }
  const row = await deps.packages.findClusterCheck({ apiPort, role })
  if (row === undefined) return requireTokenAccepted({ managementIp, apiPort, token }, { ...access, plainHttp, caFile })
  const [first] = await componentAddresses(managementIp, access)
  const input = await takeoverInput({ managementIp: first?.address ?? managementIp, apiPort }, token)
  await runCheck(context, deps, row, input)
}

async function runCheck(
  context: JobContext,
  { packages }: ClusterJobDeps,
  row: PackageRow,
  input: object,
): Promise<void> {
  const hook = packages.manifestOf(row).cluster?.check
  if (hook === undefined) return
  const deadline = AbortSignal.timeout(answerTimeoutMs)
  const signal = AbortSignal.any([context.signal, deadline])
  context.log(`running the check of software package ${row.name} with the token`)
  try {
    await packages.runHook({ ...context, signal }, row, 'cluster.check', hook, input, { isShared: true })
  } catch (cause) {
    context.signal.throwIfAborted()
    if (deadline.aborted)
      throw tokenRefused(`the check of software package ${row.name} did not end within ${answerTimeoutMs / 1000} s`)
    if (cause instanceof ApiError && cause.code === 'SoftwarePackage.1300') throw tokenRefused(cause.message)
    throw cause
  }
}

/** Links the plugin to the package, whose cluster has formed. */
export async function adoptPackage(tx: Tx, deps: ClusterJobDeps, uuid: string, packageUuid: string): Promise<void> {
  await deps.packages.startAction(tx, packageUuid, 'take over', 'Initialized')
  await deps.plugins.adopt(tx, uuid, await deps.packages.get(packageUuid, tx))
}

/** Links a component that was taken over before its package was installed, or by a version that did not match packages. */
export async function adoptLaterPackage(
  context: JobContext,
  deps: ClusterJobDeps,
  { uuid, role }: Requester & { uuid: string },
): Promise<void> {
  const plugin = await deps.plugins.get(uuid)
  const token = deps.plugins.tokenOf(plugin)
  if (plugin.softwarePackageUuid !== null || token === undefined) return
  context.conceal(token)
  const { managementIp, apiPort } = plugin
  const { found } = await findComponentPackage(context, deps, { managementIp, apiPort })
  if (found === undefined) return
  if ((await deps.plugins.alertPlatformOf(uuid)) !== undefined)
    refuseLoopbackAlerts(deps.ownAddress, await deps.hosts.get(found.row.hostUuid ?? ''))
  await requireToken(context, deps, { ...found, managementIp, role }, token)
  await context.write((tx) => adoptPackage(tx, deps, uuid, found.row.uuid))
  context.log(`software package ${found.row.name} runs the component at ${managementIp} port ${apiPort}`)
}
