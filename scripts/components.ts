import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Real programs that the tests talk to, and the Debian packages that bring them. */
const components = [
  { command: 'openssl', debian: 'openssl' },
  { command: 'curl', debian: 'curl' },
] as const

/** Installs what is missing where that is possible. What is left over is named, for a person to see or CI to fail on. */
export function ensureComponents(): string[] {
  const missing = () => components.filter(({ command }) => !isOnPath(command))
  const wanted = missing()
  if (wanted.length === 0) return []
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const packages = wanted.map(({ debian }) => debian)
    console.log(`Installing ${packages.join(', ')}…`)
    apt(['update'])
    apt(['install', '--yes', '--no-install-recommends', ...packages])
  }
  return missing().map(({ command, debian }) => `${command} (Debian package ${debian})`)
}

function isOnPath(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function apt(args: readonly string[]): void {
  spawnSync('apt-get', ['--quiet=2', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
