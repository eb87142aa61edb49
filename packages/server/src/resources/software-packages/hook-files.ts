import { type InspectedFile, programPath } from '@wharf/archives/hook-files.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HookFile, HostDriver } from '../hosts/driver.ts'
import { LastLines } from './hook-lines.ts'
import { folderOf } from './hooks.ts'
import type { PackageRow } from './store.ts'

/**
 * $1 the unpacked folder, $2 the folder of wharf.json, then files in it. Prints the cksum of each, and ends when everything
 * that was unpacked is on the disk: what is published must survive a power loss. An old sync accepts neither a file nor a
 * file system; it writes everything.
 */
const script = `
set -eu
unpacked=$1
cd -P -- "$2"
shift 2
for file; do cksum <"$file"; done
case $(sync --help 2>&1 || :) in
  *-f*) sync -f "$unpacked" ;;
  *) sync ;;
esac`

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
  if (exitCode !== 0)
    throw new ApiError(
      'SYS.1016',
      `host ${host} could not write the unpacked package to its disk: ${errors}; check the disk there, then upload or install it again`,
    )
  return files.map((file, index) => {
    const [cksum = '', size = ''] = (lines[index] ?? '').split(' ')
    if (Number(size) !== file.size)
      throw new ApiError(
        'SoftwarePackage.1300',
        `host ${host} unpacked ${file.path} with ${size || 'no'} bytes; its inspection found ${file.size}; check tar and the disk there, then upload or install it again`,
      )
    return { ...file, cksum }
  })
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
