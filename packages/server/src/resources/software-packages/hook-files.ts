import { type InspectedFile, programPath } from '@wharf/archives/hook-files.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HookFile, HostDriver } from '../hosts/driver.ts'
import { LastLines } from './hook-lines.ts'
import { folderOf } from './hooks.ts'
import type { PackageRow } from './store.ts'

/**
 * Ends when everything that was unpacked into $1 is on the disk: what is published must survive a power loss. An old sync
 * accepts neither a file nor a file system; it writes everything.
 */
const syncUnpackedScript = `
sync_unpacked() {
  sync -f "$1" && return
  case $(sync --help 2>&1) in *-f*) return 1 ;; esac
  sync
}`

/** $1 the unpacked folder, $2 the folder of wharf.json, then files in it. Prints the cksum of each; then all is synced. */
const script = `${syncUnpackedScript}
set -eu
unpacked=$1
cd -P -- "$2"
shift 2
for file; do cksum <"$file"; done
sync_unpacked "$unpacked"`

/** The last step of unpacking. Returns the files with their checksums on the host. */
export async function syncUnpacked(
  driver: HostDriver,
  target: { readonly host: string; readonly unpacked: string; readonly topFolder: string | null },
  files: readonly InspectedFile[],
  signal: AbortSignal,
): Promise<InspectedFile[]> {
  const { host, unpacked, topFolder } = target
  const folder = topFolder === null ? unpacked : `${unpacked}/${topFolder}`
  const lines: string[] = []
  const errors = new LastLines()
  const paths = files.map(({ path }) => `./${path}`)
  const { exitCode } = await driver.run(['sh', '-c', script, 'wharf-sync', unpacked, folder, ...paths], {
    signal,
    onLine: (line, stream) => (stream === 'stdout' ? lines.push(line) : errors.add(line)),
  })
  if (exitCode !== 0) throw notWritten(host, errors)
  return withChecksums(host, files, lines)
}

const notWritten = (host: string, errors: LastLines): ApiError =>
  new ApiError(
    'SYS.1016',
    `host ${host} could not write the unpacked package to its disk: ${errors}; check the disk there, then upload or install it again`,
  )

/** `lines`: what cksum has printed for each of the files. */
const withChecksums = (host: string, files: readonly InspectedFile[], lines: readonly string[]): InspectedFile[] =>
  files.map((file, index) => {
    const [cksum = '', size = ''] = (lines[index] ?? '').split(' ')
    if (Number(size) !== file.size)
      throw new ApiError(
        'SoftwarePackage.1300',
        `host ${host} unpacked ${file.path} with ${size || 'no'} bytes; its inspection found ${file.size}; check tar and the disk there, then upload or install it again`,
      )
    return { ...file, cksum }
  })

const existsExitCode = 17
const sizeExitCode = 18
const syncExitCode = 19

/**
 * $1 the unpacked folder, $2 its final name, $3 the name that the job gave to the archive, $4 the folder of wharf.json below $1
 * or $2, then the size and path of files in it. Prints the cksum of each; then everything is written to the disk, and one
 * rename publishes the folder. When only $2 exists, an earlier attempt has moved it.
 */
const publishScript = `${syncUnpackedScript}
from=$1 to=$2 part=$3 top=$4
shift 4
folder=$from
if [ -d "$from" ]; then
  if [ -e "$to" ] || [ -L "$to" ]; then exit ${existsExitCode}; fi
elif [ -d "$to" ]; then folder=$to
else
  printf '%s is missing; upload the package again\\n' "$from" >&2
  exit 1
fi
cd -P -- "$folder/$top" || exit ${syncExitCode}
while [ $# -gt 0 ]; do
  sum=$(cksum <"$2") || exit ${syncExitCode}
  printf '%s\\n' "$sum"
  [ "\${sum##* }" = "$1" ] || exit ${sizeExitCode}
  shift 2
done
cd /
if [ "$folder" = "$from" ]; then
  sync_unpacked "$from" || exit ${syncExitCode}
  mv -- "$from" "$to" || exit 1
fi
rm -f -- "$part" || exit 1
sync "\${to%/*}/"`

interface Published {
  readonly host: string
  /** The folder that it is unpacked into, and its final name. */
  readonly unpacked: string
  readonly path: string
  /** Removed, once the folder has its final name. */
  readonly part: string
  readonly topFolder: string | null
}

/** Publishes an unpacked package whose listing was verified. Returns the files with their checksums on the host. */
export async function publishUnpacked(
  driver: HostDriver,
  { host, unpacked, path, part, topFolder }: Published,
  files: readonly InspectedFile[],
  signal: AbortSignal,
): Promise<InspectedFile[]> {
  const lines: string[] = []
  const errors = new LastLines()
  const words = files.flatMap((file) => [String(file.size), `./${file.path}`])
  const argv = ['sh', '-c', publishScript, 'wharf-publish', unpacked, path, part, topFolder ?? '', ...words] as const
  const { exitCode } = await driver.run([...argv], {
    signal,
    onLine: (line, stream) => (stream === 'stdout' ? lines.push(line) : errors.add(line)),
  })
  if (exitCode === existsExitCode)
    throw new ApiError('SYS.1002', `${path} already exists on the host; choose another path, or delete what is there`)
  if (exitCode === syncExitCode) throw notWritten(host, errors)
  if (exitCode !== 0 && exitCode !== sizeExitCode)
    throw new ApiError('SYS.1016', `the host could not prepare ${path}: ${errors}`)
  return withChecksums(host, files, lines)
}

/** $1 the folder of wharf.json, then files in it. Prints the cksum of each. */
const checkScript = `
set -eu
cd -P -- "$1"
shift
test -f wharf.json
for file; do cksum <"$file"; done`

/** Whether the host has the unpacked package, with its hooks as they were inspected. */
export async function hasUnpacked(driver: HostDriver, row: PackageRow, signal: AbortSignal): Promise<boolean> {
  if (row.unzipInstallPath === null) return false
  const files = storedHookFiles(row)
  const lines: string[] = []
  const paths = files.map(({ path }) => `./${path}`)
  const { exitCode } = await driver.run(['sh', '-c', checkScript, 'wharf-check', folderOf(row), ...paths], {
    signal,
    onLine: (line, stream) => stream === 'stdout' && lines.push(line),
  })
  const isSame = ({ cksum, size }: InspectedFile, index: number): boolean => {
    const [foundSum, foundSize] = (lines[index] ?? '').split(' ')
    return Number(foundSize) === size && (cksum === undefined || foundSum === cksum)
  }
  return exitCode === 0 && files.every(isSame)
}

export const storedHookFiles = ({ hookFiles }: PackageRow): InspectedFile[] =>
  hookFiles === null ? [] : (JSON.parse(hookFiles) as InspectedFile[])

/** The files that must be on the host as they were inspected before a hook with this argument list runs. */
export function expectedFiles(row: PackageRow, argv: readonly string[]): HookFile[] {
  const inspected = new Map(storedHookFiles(row).map((file) => [file.path, file]))
  const path = programPath(argv, (file) => inspected.has(file))
  // an older version recorded none, and the size of a link is the size of another file
  return path === undefined ? [] : [inspected.get(path) ?? { path }]
}
