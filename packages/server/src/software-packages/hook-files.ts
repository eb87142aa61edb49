import type { HookFile as ExpectedFile, HostDriver } from '../hosts/driver.ts'
import { ApiError } from '../platform/api-error.ts'
import { type HookFile, packagePath } from './archives/hook-files.ts'
import { LastLines } from './hook-lines.ts'
import type { PackageRow } from './store.ts'

/**
 * $1 the unpacked folder, $2 the folder of wharf.json, then files in it. Prints the cksum of each, and ends when everything
 * that was unpacked is on the disk: what is published must survive a power loss. An old sync knows neither a file nor a
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
  folders: { readonly unpacked: string; readonly topFolder: string | null },
  files: readonly HookFile[],
  signal: AbortSignal,
): Promise<HookFile[]> {
  const { unpacked, topFolder } = folders
  const folder = topFolder === null ? unpacked : `${unpacked}/${topFolder}`
  const lines: string[] = []
  const said = new LastLines()
  const paths = files.map(({ path }) => `./${path}`)
  const { exitCode } = await driver.run(['sh', '-c', script, 'wharf-sync', unpacked, folder, ...paths], {
    signal,
    onLine: (line, stream) => (stream === 'stdout' ? lines.push(line) : said.add(line)),
  })
  if (exitCode !== 0)
    throw new ApiError('SYS.1016', `the host could not write the unpacked package to its disk: ${said}`)
  return files.map((file, index) => {
    const [cksum = '', size = ''] = (lines[index] ?? '').split(' ')
    if (Number(size) !== file.size)
      throw new ApiError(
        'SoftwarePackage.1300',
        `the host unpacked ${file.path} with ${size || 'no'} bytes; its inspection found ${file.size}`,
      )
    return { ...file, cksum }
  })
}

export const storedHookFiles = ({ hookFiles }: PackageRow): HookFile[] =>
  hookFiles === null ? [] : (JSON.parse(hookFiles) as HookFile[])

/** What must be on the host as it was inspected before a hook with these words runs. */
export function expectedFiles(row: PackageRow, words: readonly string[]): ExpectedFile[] {
  const known = new Map(storedHookFiles(row).map((file) => [file.path, file]))
  const paths = [...new Set(words.flatMap((word) => packagePath(word) ?? []))]
  const files: ExpectedFile[] = paths.flatMap((path) => known.get(path) ?? [])
  const [program = ''] = words
  const path = program.includes('/') ? packagePath(program) : undefined
  // an older version recorded none, and the size of a link is that of another file
  return path === undefined || known.has(path) ? files : [...files, { path }]
}
