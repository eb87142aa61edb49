import { realpath } from 'node:fs/promises'
import { posix } from 'node:path'
import { ApiError } from '@wharf/platform/api-error.ts'
import { checkPathLocation, checkPathSyntax, packagesFolderName } from '@wharf/platform/package-paths.ts'
import type { HostDriver } from './driver.ts'
import type { HostRow } from './store.ts'

type Host = Pick<HostRow, 'name' | 'address' | 'driver' | 'status'>

const rootsPackagesPath = `/var/lib/${packagesFolderName}`

const refused = (path: string, rule: string): ApiError =>
  new ApiError('SoftwarePackage.1131', `the packagesPath ${path.slice(0, 200)} ${rule}`)

/** A folder for packages, normalized. */
export function checkedPackagesPath(given: string, dataFolders: readonly string[] = []): string {
  const path = given.replace(/\/$/, '')
  if (!given.startsWith('/')) throw refused(given, 'must be absolute')
  if (path === '') throw refused(given, 'must be a folder below the root')
  checkPathSyntax(given, refused)
  checkPathLocation(path, dataFolders, refused)
  return path
}

/** For a host that was added without a folder for packages; null when the host reports no home folder. */
export function defaultPackagesPath({ uid, home }: { uid: number; home: string }): string | null {
  if (uid === 0) return rootsPackagesPath
  return /^\/[^\u0000-\u001f\u007f]*$/.test(home) ? posix.join(home, packagesFolderName) : null
}

const loginScript = `id -u; printf '%s\\n' "$HOME"`

/** The default for the user and home that the host reports. */
export async function findDefaultPackagesPath(driver: HostDriver, signal: AbortSignal): Promise<string | null> {
  const [uid = '', home = ''] = await linesOf(driver, [loginScript], signal)
  return defaultPackagesPath({ uid: Number.parseInt(uid, 10), home })
}

/**
 * $1 is the folder. Prints the user; the real path of the folder, or of its nearest existing parent with the rest appended,
 * or nothing when that cannot be entered; and what prevents the user from writing to it. It creates nothing.
 */
const checkScript = `
id -un 2>/dev/null || id -u
parent=$1
rest=
while [ ! -e "$parent" ] && [ ! -L "$parent" ]; do
  rest=/\${parent##*/}$rest
  parent=\${parent%/*}
  [ -n "$parent" ] || parent=/
done
real=$(cd -P -- "$parent" 2>/dev/null && pwd -P)
[ -z "$real" ] || real=\${real%/}$rest
printf '%s\\n' "$real"
if [ ! -d "$parent" ]; then printf '%s is not a folder\\n' "$parent"
elif [ ! -x "$parent" ] || [ ! -w "$parent" ]; then printf '%s is not writable\\n' "$parent"
else echo; fi`

/** Throws unless the real path is allowed for packages and the user on the host can write to it. */
export async function requireWritablePackagesPath(
  driver: HostDriver,
  host: Host,
  path: string,
  { data, signal }: { data: string; signal: AbortSignal },
): Promise<void> {
  const [user = '', realPath = '', problem = ''] = await linesOf(driver, [checkScript, 'wharf', path], signal)
  // the data folder may be reached by a link
  if (realPath !== '') checkPathLocation(realPath, host.driver === 'local' ? [data, await realpath(data)] : [], refused)
  if (problem === '') return
  throw new ApiError(
    'SYS.1016',
    `user ${user} cannot write to the packages folder ${path} of ${titleOf(host)}: ${problem}; make the folder writable for this user, or ${otherPath(host)}`,
  )
}

export const unknownPackagesPath = (host: Host): ApiError =>
  new ApiError('SYS.1016', `${titleOf(host)} reports no home folder to put packages in; ${otherPath(host)}`)

const titleOf = ({ name, address }: Host): string => `host ${name} (${address})`

/** A host that is still being added leaves no record, so there is nothing to delete. */
const otherPath = ({ status }: Host): string =>
  `${status === 'Connecting' ? 'add the host' : 'delete the host and add it again'} with a packagesPath that the user can write`

async function linesOf(driver: HostDriver, script: readonly string[], signal: AbortSignal): Promise<string[]> {
  const lines: string[] = []
  await driver.run(['sh', '-c', ...script], {
    signal,
    onLine: (line, stream) => {
      if (stream === 'stdout' && lines.length < 3) lines.push(line)
    },
  })
  return lines
}
