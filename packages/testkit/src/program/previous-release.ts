import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationNames } from '@wharf/database/migrations/index.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const git = (...args: string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()

/**
 * The program of the last commit before the newest migration: what runs beside a newer node in an upgrade. Undefined where
 * the history does not reach that far.
 */
export function previousRelease(t: { after(work: () => Promise<void>): void }): string | undefined {
  const commit = commitBeforeNewestMigration()
  if (commit === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'wharf-former-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  const packed = execFileSync('git', ['-C', root, 'archive', commit, 'packages', 'package.json'], {
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: packed })
  linkModules(folder)
  const names = globSync('packages/server/src/{,program/}main.{js,ts}', { cwd: folder })
  return join(folder, names[0] ?? '')
}

function commitBeforeNewestMigration(): string | undefined {
  try {
    const file = `packages/database/src/migrations/${migrationNames.at(-1)}.ts`
    const added = git('log', '--follow', '--format=%H', '--diff-filter=A', '--', file).split('\n').at(-1) ?? ''
    // one that is not committed yet is newer than all that is
    return git('rev-parse', '--verify', added === '' ? 'HEAD' : `${added}^`)
  } catch {
    return undefined
  }
}

/** Dependencies are those installed here; the project's own packages come from the previous release. */
function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@wharf'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@wharf') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(folder, 'packages')))
    if (existsSync(join(folder, 'packages', name, 'package.json')))
      symlinkSync(join(folder, 'packages', name), join(modules, '@wharf', name))
}
