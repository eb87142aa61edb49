import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from './driver.ts'

/** Adds a line once. A file without a final newline must not merge it with its last line. */
const addScript = `set -e
umask 077
file="$HOME/.ssh/authorized_keys"
mkdir -p "$HOME/.ssh"
touch "$file"
if grep -qxF -- "$1" "$file"; then exit 0; fi
if [ -n "$(tail -c 1 "$file")" ]; then echo >> "$file"; fi
printf '%s\\n' "$1" >> "$file"`

/** Removes the lines with a key, whatever their options and comments. The file is replaced at once, with its owner and mode. */
const removeScript = `set -e
file="$HOME/.ssh/authorized_keys"
if [ ! -e "$file" ]; then exit 0; fi
file="$(readlink -f "$file")"
cp -p "$file" "$file.wharf"
grep -vF -- "$1" "$file" > "$file.wharf" || [ $? -eq 1 ]
mv "$file.wharf" "$file"`

/** Lets the key sign in as the user of the connection. */
export const addAuthorizedKey = (driver: HostDriver, publicKey: string, signal: AbortSignal): Promise<void> =>
  runScript(driver, addScript, { argument: publicKey, task: 'added to', signal })

export const removeAuthorizedKey = (driver: HostDriver, publicKey: string, signal: AbortSignal): Promise<void> =>
  // type and key, without the comment
  runScript(driver, removeScript, {
    argument: publicKey.split(' ').slice(0, 2).join(' '),
    task: 'removed from',
    signal,
  })

interface Script {
  readonly argument: string
  readonly task: string
  readonly signal: AbortSignal
}

async function runScript(driver: HostDriver, script: string, { argument, task, signal }: Script): Promise<void> {
  const lines: string[] = []
  const onLine = (line: string): void => void lines.push(line)
  const { exitCode } = await driver.run(['sh', '-c', script, 'sh', argument], { signal, onLine })
  if (exitCode !== 0)
    throw new ApiError(
      'SYS.1016',
      `the key could not be ${task} ~/.ssh/authorized_keys on the host: ${lines.at(-1) ?? `exit code ${exitCode}`}`,
    )
}
