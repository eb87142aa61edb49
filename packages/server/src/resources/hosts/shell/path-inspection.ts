import type { PathInspection } from '../driver.ts'
import { readUsage } from './disk-usage.ts'

/** The exit code when a part of the path is neither a folder nor missing. */
export const notFolderExitCode = 18

/**
 * $1 the path of a file. Prints the real path of its nearest existing parent followed by the rest of the path, the topmost
 * missing folder or an empty line, `yes` when the path exists, and what df prints about that parent.
 */
export const pathInspectionScript = `
parent=\${1%/*}
rest=/\${1##*/}
missing=
while [ -n "$parent" ] && [ ! -e "$parent" ] && [ ! -L "$parent" ]; do
  missing=$parent
  rest=/\${parent##*/}$rest
  parent=\${parent%/*}
done
real=$(cd -P -- "$parent/" && pwd -P) || exit ${notFolderExitCode}
taken=
if [ -e "$1" ] || [ -L "$1" ]; then taken=yes; fi
printf '%s\\n%s\\n%s\\n' "\${real%/}$rest" "$missing" "$taken"
LC_ALL=C df -P -k "$parent/"`

/** Undefined when the script did not print the table of POSIX. */
export function readPathInspection(lines: readonly string[]): PathInspection | undefined {
  const [realPath = '', missingFolder = '', taken = '', ...table] = lines
  const usage = readUsage(table)
  if (usage === undefined) return undefined
  return { realPath, missingFolder: missingFolder === '' ? null : missingFolder, isTaken: taken !== '', usage }
}
