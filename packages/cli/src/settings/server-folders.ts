import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from '../io.ts'

/**
 * The data folder of a server without WHARF_DATA, by the same rule as the server itself, and the folder of the systemd
 * unit in packaging/.
 */
export function serverFolders(root: string, { env, home }: Pick<Io, 'env' | 'home'>): string[] {
  const isCheckout = existsSync(join(root, 'scripts/ensure.cjs'))
  const stateHome = env.XDG_STATE_HOME
  const state = join(stateHome?.startsWith('/') ? stateHome : join(home, '.local/state'), 'wharf')
  return [isCheckout ? join(root, 'data') : state, '/var/lib/wharf']
}
