import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Locked {
  readonly link?: true
  readonly resolved?: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
}

export interface Weight {
  /** Packages that are installed with it. */
  readonly brings: number
  /** The installed size of all of them. */
  readonly bytes: number
}

/** What installing a package adds, according to package-lock.json and node_modules. */
export function weightOf(root: string, workspace: string, name: string): Weight {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages as Record<string, Locked>
  const found = new Set<string>()
  const visit = (from: string, wanted: string): void => {
    const place = placeOf(locked, from, wanted)
    if (place === undefined || found.has(place)) return
    found.add(place)
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = locked[place] ?? {}
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) visit(place, next)
  }
  visit(workspace, name)
  return { brings: found.size - 1, bytes: [...found].reduce((sum, place) => sum + bytesIn(join(root, place)), 0) }
}

/** As Node resolves it: in this folder, then in every folder above. */
function placeOf(locked: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = above(folder)) {
    const place = join(folder, 'node_modules', name)
    if (locked[place]) return place
    if (folder === '') return undefined
  }
}

const above = (folder: string): string => folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))

/** Without nested packages, which are counted separately. A package for another platform is not installed. */
function bytesIn(folder: string): number {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return 0
  }
  return names
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => {
      const path = join(folder, name)
      const entry = lstatSync(path)
      return sum + (entry.isDirectory() ? bytesIn(path) : entry.isFile() ? entry.size : 0)
    }, 0)
}
