import { command } from '../../command.ts'
import { resolveUuid } from '../../names/resolve.ts'
import { UsageError } from '../../refusals.ts'
import { waitingOptions } from '../../waiting.ts'
import { type Destination, requireFile, uploadFile } from './upload-file.ts'
import { uploadUrl } from './upload-url.ts'

const isUrl = /^(https?|file):\/\//i

export const upload = command({
  name: 'upload',
  summary: 'Bring a package to a host or to backup storage',
  more: 'A file of this machine is sent in slices: when it is cut off, the same command goes on where it stopped, for 72 hours. A URL is fetched by the server.',
  arguments: { '<source>': { help: 'a file, - for standard input, or an http, https or file URL' } },
  options: {
    '--type <type>': { help: 'what kind of package it is', required: true },
    '--host <name>': { help: 'the host it goes to, and is unpacked on', names: 'hosts' },
    '--backup-storage [name]': {
      help: 'the storage that keeps it; the one with most room when none is named',
      names: 'backupStorage',
    },
    '--path <path>': { help: 'the file to make there; on storage the name of the source when absent' },
    '--name <name>': { help: 'of the package; from the name of the source when absent' },
    '--md5 <sum>': { help: 'what the MD5 of the package must be; with another nothing of it is kept' },
    '--sha256 <sum>': { help: 'what its SHA-256 must be' },
    ...waitingOptions,
  },
  examples: [
    'package upload hello-1.0.0.tar.gz --type demo --host web-1 --path /opt/hello/hello.tar.gz',
    `package upload https://example.com/hello.tar.gz --type demo --backup-storage --sha256 ${'0a1b2c3d'.repeat(8)}`,
    'package upload - --name hello --type demo --backup-storage archive --path hello.tar.gz < hello.tar.gz',
  ],
  async run(cli, { source }, { host, backupStorage, path, name, type, md5, sha256, ...waiting }) {
    if ((host === undefined) === (backupStorage === undefined))
      throw new UsageError('say where it goes: either --host NAME or --backup-storage [NAME]')
    if (source === '-' && name === undefined) throw new UsageError('standard input has no name: give one by --name')
    const file = source === '-' ? (name ?? '') : lastPart(source)
    const installPath = path ?? (host === undefined ? file : undefined)
    if (installPath === undefined) throw new UsageError('--path says which file to make on the host')
    await requireType(type)
    if (source !== '-' && !isUrl.test(source)) await requireFileOf(source, type)
    requireHex('--md5', md5, 32)
    requireHex('--sha256', sha256, 64)
    const wharf = await cli.wharf()
    const destination: Destination = {
      name: name ?? withoutEndings(file),
      type,
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
    return uploadFrom(cli, source, destination, { ...waiting, label: file })
  },
})

/** As the contract declares it. */
async function requireType(type: string): Promise<void> {
  const { uploadSoftwarePackage } = await import('@wharf/contract')
  const { pattern, maxLength } = uploadSoftwarePackage.fields.type as { pattern?: string; maxLength?: number }
  if (new RegExp(pattern ?? '').test(type) && type.length <= (maxLength ?? Number.POSITIVE_INFINITY)) return
  throw new UsageError(
    `--type ${JSON.stringify(type)} is not a type: letters, digits, dots, dashes and underscores, a letter or digit first, at most ${maxLength}`,
  )
}

/** The server would refuse another type too, once it has every byte. */
async function requireFileOf(path: string, type: string): Promise<void> {
  requireFile(path)
  const { declaredType } = await import('./declared-type.ts')
  const declared = declaredType(path)
  if (declared === undefined || declared === type) return
  throw new UsageError(
    `--type ${type} is wrong: the wharf.json in ${path} declares the type ${declared}`,
    `give --type ${declared}`,
  )
}

/** The server would take a digest of another length for a mere key, and compare nothing. */
function requireHex(option: string, digest: string | undefined, length: number): void {
  if (digest !== undefined && (digest.length !== length || !/^[0-9a-f]+$/i.test(digest)))
    throw new UsageError(`${option} must be ${length} hex digits`)
}

const lastPart = (source: string): string => {
  const path = isUrl.test(source) ? pathIn(source) : source
  return path.replace(/\/+$/, '').split('/').at(-1) || 'package'
}

function pathIn(url: string): string {
  if (!URL.canParse(url)) throw new UsageError(`${url} is no address`)
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    // a percent sign that escapes nothing
    return pathname
  }
}

/** `hello-1.0.0.tar.gz` → `hello-1.0.0` */
const withoutEndings = (file: string): string => file.replace(/(\.tar)?\.(gz|tgz|zip|tar|xz|bz2|zst)$/i, '') || file
