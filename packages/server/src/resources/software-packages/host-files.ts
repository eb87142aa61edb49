import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../hosts/driver.ts'
import { LastLines } from './hook-lines.ts'

/** Small changes that a package needs on its host. Each is idempotent and refuses to replace anything. */

const existsExitCode = 17

/** $1 the folder. Its parents are created and synced too: they must survive a power loss like the files in it. */
const makeFoldersScript = `umask 022
mkdir -p -- "$1" || exit 1
folder=$1
set --
while [ -n "$folder" ]; do
  set -- "$@" "$folder/"
  folder=\${folder%/*}
done
sync "$@"
exit 0`

/** $1 the folder, $2 the topmost folder to remove; folders that are not empty stay. */
const removeFoldersScript = `
folder=$1
while [ "\${#folder}" -ge "\${#2}" ] && rmdir -- "$folder" 2>/dev/null; do folder=\${folder%/*}; done
exit 0`

/** $1 the transferred file, $2 its final name. */
const linkScript = `
[ "$1" -ef "$2" ] && exit 0
if [ -e "$2" ] || [ -L "$2" ]; then exit ${existsExitCode}; fi
ln -- "$1" "$2" || exit 1
sync "\${2%/*}/"`

/**
 * $1 the transferred file, $2 its final name, which is removed only when it is the same file. Partial files are removed
 * first: a program that a killed server left running on the host then has nothing left to rename.
 */
const unlinkScript = `
rm -f -- "$1".*.part
if [ "$1" -ef "$2" ]; then rm -f -- "$2"; fi
rm -f -- "$1"`

/** $1 the folder it is unpacked into; for a zip, the tar or its partial file is beside that folder. */
const removeUnpackedScript = 'rm -rf -- "$1".tar.*.part "$1".tar "$1"'

/**
 * Before unpacking: removes what an earlier attempt, or an earlier upload to the same path, has left.
 * $1 as above. The path of a package has one upload at a time, so folders of other jobs remain from a power loss of the
 * host. Folders of uploads to longer paths that start with this one have a dot before the job's uuid.
 */
export const removeFormerUnpackedScript = `
path=\${1%.*.unpacking}
for folder in "$path".*.unpacking "$1"; do
  job=\${folder#"$path".}
  job=\${job%.unpacking}
  case $job in *[!0-9a-f]*) continue ;; esac
  [ "\${#job}" -eq 32 ] || continue
  # mostly there is nothing, and a program costs more than a test
  for name in "$folder".tar.*.part "$folder".tar "$folder"; do
    [ ! -e "$name" ] && [ ! -L "$name" ] || rm -rf -- "$name" || exit 1
  done
done`

/** $1 the folder it was unpacked into, $2 its final name: removes a folder that was moved; the undo of unpacking removes one that was not. */
const unmoveScript = '[ -e "$1" ] || rm -rf -- "$2"'

async function runScript(driver: HostDriver, script: string, paths: readonly string[], signal: AbortSignal) {
  const errors = new LastLines()
  const lines: string[] = []
  const { exitCode } = await driver.run(['sh', '-c', script, 'wharf', ...paths], {
    signal,
    onLine: (line, stream) => (stream === 'stdout' ? lines.push(line) : errors.add(line)),
  })
  const path = paths.at(-1)
  if (exitCode === existsExitCode)
    throw new ApiError('SYS.1002', `${path} already exists on the host; choose another path, or delete what is there`)
  if (exitCode !== 0) throw new ApiError('SYS.1016', `the host could not prepare ${path}: ${errors}`)
  return lines
}

export const makeFolders = (driver: HostDriver, folder: string, signal: AbortSignal) =>
  runScript(driver, makeFoldersScript, [folder], signal)

export const removeFolders = (driver: HostDriver, folder: string, topmost: string, signal: AbortSignal) =>
  runScript(driver, removeFoldersScript, [folder, topmost], signal)

export const linkIntoPlace = (driver: HostDriver, part: string, path: string, signal: AbortSignal) =>
  runScript(driver, linkScript, [part, path], signal)

export const removeLinked = (driver: HostDriver, part: string, path: string, signal: AbortSignal) =>
  runScript(driver, unlinkScript, [part, path], signal)

/** The undo of unpacking; idempotent. */
export const removeUnpacked = (driver: HostDriver, folder: string, signal: AbortSignal) =>
  runScript(driver, removeUnpackedScript, [folder], signal)

export const removeMoved = (driver: HostDriver, folder: string, path: string, signal: AbortSignal) =>
  runScript(driver, unmoveScript, [folder, path], signal)
