import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { CommandError, UsageError } from '../../errors.ts'
import { recordsOf, resolveUuid } from '../../names/resolve-record.ts'
import { type JobFlags, jobOptions, runOperation } from '../../run-operation.ts'
import { requireFile, uploadFile } from '../package/upload-file.ts'

const { '--async': _, ...waitOptions } = jobOptions

export const publish = command({
  name: 'publish',
  summary: 'Upload a package to backup storage and publish it as a release',
  more: 'Name and version come from wharf.json. After an interruption, the same command resumes.',
  arguments: { '<file>': { help: 'package with a wharf.json that names install, name and version' } },
  options: {
    '--storage <name>': { help: 'backup storage (default: the one with the most free space)', names: 'backupStorage' },
    '--type <type>': { help: 'package type (default: from wharf.json)' },
    '--description <text>': { help: 'description of the release' },
    ...waitOptions,
  },
  examples: ['release publish hello-1.1.0.tar.gz', 'release publish hello-1.1.0.tar.gz --storage archive'],
  async run(cli, { file }, { storage, type, description, ...jobFlags }) {
    requireFile(file)
    const wharf = await cli.wharf()
    const backupStorageUuid = storage === undefined ? undefined : await resolveUuid(wharf, 'backupStorage', storage)
    const target = { type: await typeOf(file, type), installPath: `releases/${basename(file)}`, backupStorageUuid }
    const softwarePackageUuid =
      (await findUploaded(wharf, file, target)) ??
      (await upload(cli, file, { ...target, name: basename(file) }, jobFlags))
    const { publishRelease } = await import('@wharf/contract')
    const input = { softwarePackageUuid, ...(description === undefined ? {} : { description }) }
    const answer = await runOperation(cli, publishRelease, input, {
      ...jobFlags,
      label: `Publishing ${basename(file)}`,
    })
    if (answer === undefined) return
    const { name, version, uuid, sha256, state } = answer.inventory
    if (state === 'Retired')
      throw new CommandError(
        `release ${name}@${version} exists with the same bytes, and is retired`,
        'publish another version',
      )
    cli.out.text(uuid, answer.inventory)
    cli.info(`Published ${name}@${version}, SHA-256 ${sha256}.`)
  },
})

async function typeOf(file: string, given: string | undefined): Promise<string> {
  const { declaredType } = await import('../package/declared-type.ts')
  const declared = declaredType(file)
  if (given !== undefined && declared !== undefined && given !== declared)
    throw new UsageError(`--type ${given}: the wharf.json of ${file} has the type ${declared}`, 'omit --type')
  const type = declared ?? given
  if (type !== undefined) return type
  throw new UsageError(`the type of ${file} cannot be read from its wharf.json`, 'pass it with --type TYPE')
}

interface Target {
  readonly installPath: string
  readonly backupStorageUuid: string | undefined
}

/** An earlier call may have been interrupted between upload and publication. */
async function findUploaded(wharf: Wharf, file: string, { installPath, backupStorageUuid }: Target) {
  const q = [`installPath=${installPath}`, 'status=Uploaded', 'hostUuid is null']
  if (backupStorageUuid !== undefined) q.push(`backupStorageUuid=${backupStorageUuid}`)
  const packages = await recordsOf(wharf, 'softwarePackages', { q })
  if (packages.length === 0) return undefined
  const md5 = createHash('md5')
  await pipeline(createReadStream(file), md5)
  const digest = md5.digest('hex')
  return packages.find(({ md5sum }) => md5sum === digest)?.uuid
}

async function upload(cli: Cli, file: string, destination: Parameters<typeof uploadFile>[2], flags: JobFlags) {
  const record = await uploadFile(cli, file, destination, { ...flags, label: basename(file) })
  if (record === undefined) throw new Error('the upload has ended without a package')
  return record.uuid
}
