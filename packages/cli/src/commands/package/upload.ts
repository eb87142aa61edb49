import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { type FoundRecord, resolveUuid } from '../../names/resolve-record.ts'
import { jobOptions } from '../../run-operation.ts'
import { resolveRelease } from '../release/resolve-release.ts'
import { type Destination, reportUploaded, requireFile, uploadFile } from './upload-file.ts'
import { uploadUrl } from './upload-url.ts'

const isRelease = /^release:\/\//i
const isUrl = /^(https?|file|release):\/\//i

export const upload = command({
  name: 'upload',
  summary: 'Upload a package to a host or to backup storage',
  more: 'A local file is sent in slices; after an interruption the same command resumes it within 72 hours. The server downloads a URL itself.',
  arguments: {
    '<source>': {
      help: 'a file, - for stdin, an http, https or file URL, or release://NAME@VERSION',
      names: 'releaseSources',
    },
  },
  options: {
    '--type <type>': { help: 'package type (default: from the file or the release)' },
    '--host <name>': { help: 'target host; the package is unpacked there', names: 'hosts' },
    '--backup-storage [name]': {
      help: 'target storage (default: the one with the most free space)',
      names: 'backupStorage',
    },
    '--path <path>': { help: 'target file (default on backup storage: the name of the source)' },
    '--name <name>': { help: 'package name (default: from the source)' },
    '--md5 <sum>': { help: 'expected MD5; a package with another digest is deleted' },
    '--sha256 <sum>': { help: 'expected SHA-256' },
    ...jobOptions,
  },
  examples: [
    'package upload hello-1.0.0.tar.gz --type demo --host web-1 --path /opt/hello/hello.tar.gz',
    `package upload https://example.com/hello.tar.gz --type demo --backup-storage --sha256 ${'0a1b2c3d'.repeat(8)}`,
    'package upload - --name hello --type demo --backup-storage archive --path hello.tar.gz < hello.tar.gz',
  ],
  async run(cli, { source }, { host, backupStorage, path, name, type, md5, sha256, ...jobFlags }) {
    if ((host === undefined) === (backupStorage === undefined))
      throw new UsageError('pass either --host NAME or --backup-storage [NAME]')
    if (source === '-' && name === undefined) throw new UsageError('--name is required for stdin')
    const file = source === '-' ? (name ?? '') : lastPart(source)
    const installPath = path ?? (host === undefined ? file : undefined)
    if (installPath === undefined) throw new UsageError('--path is required with --host')
    requireHex('--md5', md5, 32)
    requireHex('--sha256', sha256, 64)
    const wharf = await cli.wharf()
    const release = isRelease.test(source) ? await resolveRelease(wharf, source.replace(isRelease, '')) : undefined
    const packageType = await typeOf(source, type, release)
    const destination: Destination = {
      name: name ?? (release ? String(release.name) : withoutExtensions(file)),
      type: packageType,
      installPath,
      md5,
      sha256,
      ...(host === undefined
        ? {
            backupStorageUuid:
              typeof backupStorage === 'string' ? await resolveUuid(wharf, 'backupStorage', backupStorage) : undefined,
          }
        : { hostUuid: await resolveUuid(wharf, 'hosts', host) }),
    }
    const uploadFrom = isUrl.test(source) ? uploadUrl : uploadFile
    const record = await uploadFrom(cli, source, destination, { ...jobFlags, label: file })
    if (record !== undefined) reportUploaded(cli, record)
  },
})

async function typeOf(source: string, type: string | undefined, release: FoundRecord | undefined): Promise<string> {
  if (release !== undefined) {
    if (type !== undefined && type !== release.type)
      throw new UsageError(`--type ${type} does not match: the release has the type ${release.type}`)
    return String(release.type)
  }
  const isFile = source !== '-' && !isUrl.test(source)
  const declared = isFile ? await typeInFile(source) : undefined
  const chosen = type ?? declared
  if (chosen === undefined)
    throw new UsageError(
      isFile
        ? `--type is required: ${source} has no wharf.json that declares one`
        : '--type is required for a URL and for standard input',
    )
  await requireType(chosen)
  // the server would refuse a wrong type only after it has every byte
  if (declared !== undefined && declared !== chosen)
    throw new UsageError(
      `--type ${chosen} does not match: the wharf.json in ${source} declares the type ${declared}`,
      `use --type ${declared}`,
    )
  return chosen
}

/** Checks the type against the contract. */
async function requireType(type: string): Promise<void> {
  const { uploadSoftwarePackage } = await import('@wharf/contract')
  const { pattern, maxLength } = uploadSoftwarePackage.fields.type as { pattern?: string; maxLength?: number }
  if (new RegExp(pattern ?? '').test(type) && type.length <= (maxLength ?? Number.POSITIVE_INFINITY)) return
  throw new UsageError(
    `invalid --type ${JSON.stringify(type)}: use at most ${maxLength} letters, digits, dots, dashes and underscores, starting with a letter or digit`,
  )
}

async function typeInFile(path: string): Promise<string | undefined> {
  requireFile(path)
  const { declaredType } = await import('./declared-type.ts')
  return declaredType(path)
}

/** The server treats a digest of another length as a resume key and compares nothing. */
function requireHex(option: string, digest: string | undefined, length: number): void {
  if (digest !== undefined && (digest.length !== length || !/^[0-9a-f]+$/i.test(digest)))
    throw new UsageError(`${option} must be ${length} hex digits`)
}

const lastPart = (source: string): string => {
  const path = isUrl.test(source) ? pathIn(source) : source
  return path.replace(/\/+$/, '').split('/').at(-1) || 'package'
}

function pathIn(url: string): string {
  if (!URL.canParse(url)) throw new UsageError(`${url} is not a valid URL`)
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    // a literal percent sign
    return pathname
  }
}

/** `hello-1.0.0.tar.gz` → `hello-1.0.0` */
const withoutExtensions = (file: string): string => file.replace(/(\.tar)?\.(gz|tgz|zip|tar|xz|bz2|zst)$/i, '') || file
