import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of Wharf: a checkout, or the folder that a tarball was unpacked to. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Only a checkout contains the scripts; a tarball does not (scripts/pack-offline.ts). */
export const isCheckout = (folder: string): boolean => existsSync(join(folder, 'scripts/ensure.cjs'))

/** XDG Base Directory Specification: relative paths count as absent. The CLI reads it too. */
export function stateFolder({ XDG_STATE_HOME: given }: Readonly<Record<string, string | undefined>>): string {
  return join(given?.startsWith('/') ? given : join(homedir(), '.local/state'), 'wharf')
}
