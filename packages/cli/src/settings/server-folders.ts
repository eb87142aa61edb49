import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from '../io.ts'

/**
 * Where a server that was started without WHARF_DATA keeps its data, as the server itself decides it
 * (packages/server/src/platform/installation.ts); then where the unit in packaging/ keeps it.
 */
export function serverFolders(root: string, { env, home }: Pick<Io, 'env' | 'home'>): string[] {
  const isCheckout = existsSync(join(root, 'scripts/ensure.cjs'))
  const given = env.XDG_STATE_HOME
  const state = join(given?.startsWith('/') ? given : join(home, '.local/state'), 'wharf')
  return [isCheckout ? join(root, 'data') : state, '/var/lib/wharf']
}
