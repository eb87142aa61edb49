import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonSchema } from '@wharf/archives/config-check.ts'
import { inspectZip } from '@wharf/archives/zip.ts'
import { installSoftwarePackage } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { manifestOf } from '../configuration.ts'
import { formerHostFailure } from '../former-host.ts'
import { expectedFiles, storedHookFiles, syncUnpacked } from '../hook-files.ts'
import { folderOf, runHook } from '../hooks.ts'
import { makeFolders } from '../host-files.ts'
import { secretValues } from '../secret-values.ts'
import type { PackageRow } from '../store.ts'
import { keep } from '../transfer.ts'
import { unpackTar, unpackZip } from '../unpacking.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import type { JobParts } from './receiving.ts'

export interface InstallInput {
  readonly packageUuid: string
  readonly config: unknown
  readonly hostUuid: string
}

type Context = JobContext<InstallInput>

export const installJob = (parts: JobParts) =>
  job<typeof installSoftwarePackage, InstallInput>(
    installSoftwarePackage,
    [
      step('bring', (context) => bring(context, parts), { undo: (context) => takeBack(context, parts), weight: 3 }),
      step('run', (context) => hook(context, parts, 'install'), {
        undo: ({ input, signal }) =>
          parts.packages.endEarlierHooks(input.packageUuid, { signal, hostUuid: input.hostUuid }),
        weight: 5,
      }),
      step('provide', (context) => provide(context, parts), { undo: (context) => withdraw(context, parts), weight: 3 }),
      step('verify', (context) => hook(context, parts, 'verify')),
    ],
    async ({ input }, tx) => {
      await parts.packages.update(tx, input.packageUuid, { status: 'Installed' })
      const row = await parts.packages.get(input.packageUuid, tx)
      await parts.packages.kindOf(row)?.installed(tx, row)
      return {}
    },
    ({ input }, tx) => parts.packages.update(tx, input.packageUuid, { status: 'InstallFailed' }),
  )

/** A package on backup storage is copied to its host first, and unpacked there like any other. */
async function bring(context: Context, parts: JobParts): Promise<void> {
  const { input, signal, write, log } = context
  const row = await parts.packages.get(input.packageUuid)
  if (row.backupStorageUuid === null) return
  if (row.hostUuid !== null && row.hostUuid !== input.hostUuid) await leaveFormerHost(context, row, parts)
  const { driver, row: host } = await parts.hosts.usable(input.hostUuid)
  const storage = await parts.backupStorage.usable(row.backupStorageUuid)
  if (parts.packages.kindOf(row) && !hasPrograms(row)) {
    await write((tx) => parts.packages.update(tx, row.uuid, { hostUuid: host.uuid }))
    return
  }
  const home = `${await parts.hosts.usablePackagesPath(host, driver, signal)}/${row.uuid}`
  const folder = `${home}/unpacked`
  log(`copying ${row.size} bytes from ${storage.row.name} to ${host.name}`)
  // remembered before anything is there, so that whoever uninstalls or deletes it knows where to look
  await write((tx) => parts.packages.update(tx, row.uuid, { hostUuid: host.uuid, unzipInstallPath: folder }))
  await driver.remove(home, { signal })
  await makeFolders(driver, home, signal)
  const bytes = storage.driver.get(row.installPath, { signal })
  const target = { driver, folder, signal }
  const syncHookFiles = async (): Promise<void> => {
    const { topFolder } = row
    const unpacked = { host: host.name, unpacked: folder, topFolder }
    const files = await syncUnpacked(driver, unpacked, storedHookFiles(row), signal)
    await write((tx) => parts.packages.update(tx, row.uuid, { hookFiles: JSON.stringify(files) }))
  }
  if (row.format === 'zip') {
    const spool = zipSpoolOf(parts, context.jobUuid)
    try {
      await keep(bytes, spool)
      const { availableCapacity: availableBytes } = await driver.usage(home, { signal })
      await inspectZip(spool, { availableBytes, signal })
      await unpackZip(spool, target)
      await syncHookFiles()
    } finally {
      await rm(spool, { force: true })
    }
  } else if (row.format !== null && row.format !== 'file') {
    const archive = `${home}/package`
    await driver.put(bytes, archive, { signal })
    await unpackTar(archive, row.format, target)
    await syncHookFiles()
    await driver.remove(archive, { signal })
  }
}

/** The host of an installation that failed may still run its hook, and it has files there. */
async function leaveFormerHost({ write, signal, log }: Context, row: PackageRow, parts: JobParts): Promise<void> {
  const host = await parts.hosts.get(row.hostUuid ?? '')
  log(`ending and removing what an earlier installation left on host ${host.name}`)
  try {
    await leaveHost(row, parts, { write, signal })
  } catch (cause) {
    if (signal.aborted || !(cause instanceof ApiError && cause.code.startsWith('HOST.'))) throw cause
    throw formerHostFailure(cause.code, row, host, `could not be queried: ${cause.message}`)
  }
}

/** Programs of its own: then all of it has to be on the host. */
const hasPrograms = (row: PackageRow): boolean => {
  const { install, verify, uninstall } = manifestOf(row)
  return (install ?? verify ?? uninstall) !== undefined
}

/** What the package's schema marks as write-only stays out of everything that the job reports. */
function concealSecrets({ input, conceal }: Context, row: PackageRow): void {
  const { config: schema } = manifestOf(row)
  if (schema !== undefined) for (const secret of secretValues(schema as JsonSchema, input.config)) conceal(secret)
}

async function hook(context: Context, parts: JobParts, name: 'install' | 'verify'): Promise<void> {
  const row = await parts.packages.get(context.input.packageUuid)
  concealSecrets(context, row)
  const program = manifestOf(row)[name]
  if (program === undefined) {
    if (name === 'verify' || parts.packages.kindOf(row)) return
    throw new ApiError('SoftwarePackage.1132', `software package ${row.name} names no program that installs it`)
  }
  const { driver } = await parts.hosts.usable(row.hostUuid ?? '')
  const input = { config: context.input.config }
  const files = expectedFiles(row, program.run)
  await runHook(context, { driver, hook: program, name, folder: folderOf(row), input, files, subject: row.uuid })
}
/** What another resource makes of packages of this type. */
async function provide(context: Context, parts: JobParts): Promise<void> {
  const { packageUuid, hostUuid, config } = context.input
  const row = await parts.packages.get(packageUuid)
  concealSecrets(context, row)
  await parts.packages.kindOf(row)?.install(context, { row, hostUuid, config })
}

async function withdraw(context: Context, parts: JobParts): Promise<void> {
  const row = await parts.packages.get(context.input.packageUuid)
  await parts.packages.kindOf(row)?.uninstall(context, row)
}

async function takeBack({ input, write, signal }: Context, parts: JobParts): Promise<void> {
  await leaveHost(await parts.packages.get(input.packageUuid), parts, { write, signal })
}

/**
 * A package from backup storage leaves nothing on the host it was installed on. Until that host has answered that no hook
 * of the package runs there, the record names it, and the package is installed nowhere else.
 */
export async function leaveHost(
  { uuid, backupStorageUuid, hostUuid, unzipInstallPath }: PackageRow,
  { hosts, packages }: JobParts,
  { write, signal }: Pick<JobContext, 'write' | 'signal'>,
): Promise<void> {
  if (backupStorageUuid === null || hostUuid === null) return
  const host = await hosts.get(hostUuid)
  if (hosts.isElsewhere(host))
    throw new ApiError('HOST.1010', `host ${host.name} is the machine of management node ${host.managementNodeUuid}`)
  const driver: HostDriver = await hosts.drivers.of(host)
  if (unzipInstallPath !== null) {
    await driver.endHooks(uuid, { signal })
    // as it was remembered: the packages folder of the host may be another by now
    await driver.remove(dirname(unzipInstallPath), { signal })
  }
  await write((tx) => packages.update(tx, uuid, { hostUuid: null, unzipInstallPath: null }))
}
