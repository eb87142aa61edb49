import { join } from 'node:path'
import type { Io } from '../io.ts'

/** XDG Base Directory Specification: relative paths count as absent. */
export function settingsFolder({ env, home }: Pick<Io, 'env' | 'home'>): string {
  const given = env.XDG_CONFIG_HOME
  return join(given?.startsWith('/') ? given : join(home, '.config'), 'wharf')
}
