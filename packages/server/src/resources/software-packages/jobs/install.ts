import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonSchema } from '@wharf/archives/config-check.ts'
import { inspectZip } from '@wharf/archives/zip-inspection.ts'
import { installSoftwarePackage } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Call } from '../../../calls/call-context.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { jobSubject, manifestOf, readConfiguration, removeSecrets } from '../configuration.ts'
import { formerHostFailure, refuseFormerHost } from '../former-host.ts'
import { expectedFiles, storedHookFiles, syncUnpacked } from '../hook-files.ts'
import { folderOf, runHook } from '../hooks.ts'
import { makeFolders } from '../host-files.ts'
import { authoriseKindHosts, getAuthorisedHost } from '../package-hosts.ts'
import { findSecretValues } from '../secret-values.ts'
import { resourceType } from '../service.ts'
import type { PackageRow } from '../store.ts'
import { writeSpool } from '../transfer.ts'
import { unpackTar, unpackZip } from '../unpack-on-host.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import type { PackageJobDeps } from './package-job-deps.ts'

export interface InstallInput {
  readonly packageUuid: string
  readonly config: unknown
  readonly hostUuid: string
}

type Context = JobContext<InstallInput>

export const installJob = (deps: PackageJobDeps): JobOperation<typeof installSoftwarePackage, InstallInput> => ({
  operation: installSoftwarePackage,
  async start(call, enqueue) {
    const { row, host, storage, config, shownConfig } = await validate(call, deps)
    return call.commit(async (tx) => {
      await deps.packages.startAction(tx, row.uuid, 'install', 'Installing')
      const tag = { pattern: 'installConfig', value: JSON.stringify(shownConfig) }
      await deps.tags.replace(tx, { resourceUuid: row.uuid, resourceType, ...tag })
      return enqueue(tx, {
        subject: jobSubject(row),
        host,
        input: { packageUuid: row.uuid, config, hostUuid: host.uuid },
        managementNodeUuid: storage?.managementNodeUuid ?? host.managementNodeUuid,
      })
    })
  },
  steps: [
    step('copy', (context) => copyToHost(context, deps), {
      undo: (context) => removeFromHost(context, deps),
      weight: 3,
    }),
    step('run', (context) => runProgram(context, deps, 'install'), {
      undo: ({ input, signal }) =>
        deps.packages.endEarlierHooks(input.packageUuid, { signal, hostUuid: input.hostUuid }),
      weight: 5,
    }),
    step('provide', (context) => installKind(context, deps), {
      undo: (context) => uninstallKind(context, deps),
      weight: 3,
    }),
    step('verify', (context) => runProgram(context, deps, 'verify')),
  ],
  async succeeded({ input }, tx) {
    await deps.packages.recordInstalled(tx, await deps.packages.get(input.packageUuid, tx), input.config)
    const row = await deps.packages.get(input.packageUuid, tx)
    await deps.packages.kindOf(row)?.installed(tx, row)
    return {}
  },
  failed: ({ input }, tx) => deps.packages.update(tx, input.packageUuid, { status: 'InstallFailed' }),
})

async function validate(call: Call<typeof installSoftwarePackage>, deps: PackageJobDeps) {
  const { packages, hosts, backupStorage } = deps
  const row = await packages.get(call.path.uuid)
  const isOnHost = row.backupStorageUuid === null
  const own = isOnHost ? await getAuthorisedHost(call, row, deps) : undefined
  if (!isOnHost) await authoriseKindHosts(call, row, deps)
  packages.requireStatus(row, 'install')
  const manifest = manifestOf(row)
  if (manifest.type !== row.type)
    throw new ApiError(
      'SoftwarePackage.1101',
      `software package ${row.name} was uploaded as ${row.type}, but its wharf.json has the type ${manifest.type}; delete it, and upload it again with that type`,
    )
  const { value: config, hostUuid } = readConfiguration(manifest, call.fields.config)
  const target = own?.uuid ?? hostUuid
  if (!target)
    throw invalid('installSoftwarePackage.config must name the hostUuid, since the package is on backup storage')
  const host = own ?? (await hosts.getForWork(target, call.caller))
  hosts.refuseUnusable(host)
  if (row.hostUuid !== null && row.hostUuid !== target)
    refuseFormerHost(row, await hosts.getForWork(row.hostUuid, call.caller))
  const storage = row.backupStorageUuid === null ? undefined : await backupStorage.get(row.backupStorageUuid)
  if (storage) backupStorage.refuseUnusable(storage)
  await packages.kindOf(row)?.checkInstallation({ row, hostUuid: target, config })
  const schema = manifest.config as JsonSchema | undefined
  const shownConfig = schema === undefined ? {} : { config: JSON.stringify(removeSecrets(schema, config)) }
  return { row, host, storage, config, shownConfig }
}

/** A package on backup storage is copied to its host first, and unpacked there like any other. */
async function copyToHost(context: Context, deps: PackageJobDeps): Promise<void> {
  const { input, signal, write, log } = context
  const row = await deps.packages.get(input.packageUuid)
  if (row.backupStorageUuid === null) return
  if (row.hostUuid !== null && row.hostUuid !== input.hostUuid) await leaveFormerHost(context, row, deps)
  const { driver, row: host } = await deps.hosts.usable(input.hostUuid)
  const storage = await deps.backupStorage.usable(row.backupStorageUuid)
  if (deps.packages.kindOf(row) && !hasPrograms(row)) {
    await write((tx) => deps.packages.update(tx, row.uuid, { hostUuid: host.uuid }))
    return
  }
  const packageFolder = `${await deps.hosts.usablePackagesPath(host, driver, signal)}/${row.uuid}`
  const folder = `${packageFolder}/unpacked`
  log(`copying ${row.size} bytes from ${storage.row.name} to ${host.name}`)
  // recorded before anything is written, so that uninstall and delete find the files
  await write((tx) => deps.packages.update(tx, row.uuid, { hostUuid: host.uuid, unzipInstallPath: folder }))
  await driver.remove(packageFolder, { signal })
  await makeFolders(driver, packageFolder, signal)
  const bytes = storage.driver.get(row.installPath, { signal })
  const target = { driver, folder, signal }
  const syncHookFiles = async (): Promise<void> => {
    const { topFolder } = row
    const unpacked = { host: host.name, unpacked: folder, topFolder }
    const files = await syncUnpacked(driver, unpacked, storedHookFiles(row), signal)
    await write((tx) => deps.packages.update(tx, row.uuid, { hookFiles: JSON.stringify(files) }))
  }
  if (row.format === 'zip') {
    const spool = zipSpoolOf(deps, context.jobUuid)
    try {
      await writeSpool(bytes, spool)
      const { availableCapacity: availableBytes } = await driver.usage(packageFolder, { signal })
      await inspectZip(spool, { availableBytes, signal })
      await unpackZip(spool, target)
      await syncHookFiles()
    } finally {
      await rm(spool, { force: true })
    }
  } else if (row.format !== null && row.format !== 'file') {
    const archive = `${packageFolder}/package`
    await driver.put(bytes, archive, { signal })
    await unpackTar(archive, row.format, target)
    await syncHookFiles()
    await driver.remove(archive, { signal })
  }
}

/** The host of a failed installation may still run its hook and have its files. */
async function leaveFormerHost({ write, signal, log }: Context, row: PackageRow, deps: PackageJobDeps): Promise<void> {
  const host = await deps.hosts.get(row.hostUuid ?? '')
  log(`ending and removing what an earlier installation left on host ${host.name}`)
  try {
    await leaveHost(row, deps, { write, signal })
  } catch (cause) {
    if (signal.aborted || !(cause instanceof ApiError && cause.code.startsWith('HOST.'))) throw cause
    throw formerHostFailure(cause.code, row, host, `could not be queried: ${cause.message}`)
  }
}

/** A package with programs of its own must be completely on the host. */
const hasPrograms = (row: PackageRow): boolean => {
  const { install, verify, uninstall } = manifestOf(row)
  return (install ?? verify ?? uninstall) !== undefined
}

/** Values that the package's schema marks as write-only are masked in the job's log and failure. */
function concealSecrets({ input, conceal }: Context, row: PackageRow): void {
  const { config: schema } = manifestOf(row)
  if (schema !== undefined) for (const secret of findSecretValues(schema as JsonSchema, input.config)) conceal(secret)
}

async function runProgram(context: Context, deps: PackageJobDeps, name: 'install' | 'verify'): Promise<void> {
  const row = await deps.packages.get(context.input.packageUuid)
  concealSecrets(context, row)
  const program = manifestOf(row)[name]
  if (program === undefined) {
    if (name === 'verify' || deps.packages.kindOf(row)) return
    throw new ApiError(
      'SoftwarePackage.1132',
      `software package ${row.name} names no program that installs it; add install to its wharf.json, and upload it again`,
    )
  }
  const { driver } = await deps.hosts.usable(row.hostUuid ?? '')
  const input = { config: context.input.config }
  const files = expectedFiles(row, program.run)
  await runHook(context, { driver, hook: program, name, folder: folderOf(row), input, files, subject: row.uuid })
}

/** Installs the package in the resource that uses packages of this type. */
async function installKind(context: Context, deps: PackageJobDeps): Promise<void> {
  const { packageUuid, hostUuid, config } = context.input
  const row = await deps.packages.get(packageUuid)
  concealSecrets(context, row)
  await deps.packages.kindOf(row)?.install(context, { row, hostUuid, config })
}

async function uninstallKind(context: Context, deps: PackageJobDeps): Promise<void> {
  const row = await deps.packages.get(context.input.packageUuid)
  await deps.packages.kindOf(row)?.uninstall(context, row)
}

async function removeFromHost({ input, write, signal }: Context, deps: PackageJobDeps): Promise<void> {
  await leaveHost(await deps.packages.get(input.packageUuid), deps, { write, signal })
}

/**
 * Removes a package from backup storage completely from its host. Until that host has confirmed that no hook of the package
 * runs on it, the record names the host, and the package cannot be installed on another.
 */
export async function leaveHost(
  { uuid, backupStorageUuid, hostUuid, unzipInstallPath }: PackageRow,
  { hosts, packages }: PackageJobDeps,
  { write, signal }: Pick<JobContext, 'write' | 'signal'>,
): Promise<void> {
  if (backupStorageUuid === null || hostUuid === null) return
  const host = await hosts.get(hostUuid)
  if (hosts.isElsewhere(host))
    throw new ApiError(
      'HOST.1010',
      `host ${host.name} is the machine of management node ${host.managementNodeUuid}; start that node`,
    )
  const driver: HostDriver = await hosts.drivers.of(host)
  if (unzipInstallPath !== null) {
    await driver.endHooks(uuid, { signal })
    // as it was recorded: the packages folder of the host may have changed
    await driver.remove(dirname(unzipInstallPath), { signal })
  }
  await write((tx) => packages.update(tx, uuid, { hostUuid: null, unzipInstallPath: null }))
}
