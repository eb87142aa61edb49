export interface StoredFile {
  readonly uuid: string
  readonly name: string
  readonly installPath: string
  readonly size: number
}

/** A direct child of a folder, with its total size. */
export interface Entry {
  readonly path: string
  readonly name: string
  readonly size: number
  /** Undefined for a folder. */
  readonly packageUuid?: string
  readonly files: number
}

/** `/opt//packages/` → `/opt/packages`; always absolute. */
export const cleanFolder = (path: string): string => `/${path.split('/').filter(Boolean).join('/')}`

/** All parent folders and the folder itself, the root first. */
export function ancestorFolders(path: string): string[] {
  const parts = cleanFolder(path).split('/').filter(Boolean)
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}

export function filesIn(files: readonly StoredFile[], folder: string): StoredFile[] {
  const start = folder === '/' ? '/' : `${folder}/`
  return files.filter(({ installPath }) => installPath.startsWith(start))
}

/** Sorted by size, largest first. */
export function entriesIn(files: readonly StoredFile[], folder: string): Entry[] {
  const below = folder === '/' ? 1 : folder.length + 1
  const groups = Map.groupBy(filesIn(files, folder), ({ installPath }) => installPath.slice(below).split('/', 1)[0])
  const entries = [...groups].map(([part = '', own]): Entry => {
    const path = cleanFolder(`${folder}/${part}`)
    const size = own.reduce((sum, file) => sum + file.size, 0)
    const [first] = own
    if (own.length === 1 && first?.installPath === path)
      return { path, name: first.name, size, packageUuid: first.uuid, files: 1 }
    return { path, name: `${part}/`, size, files: own.length }
  })
  return entries.sort((a, b) => b.size - a.size || a.path.localeCompare(b.path))
}

/** Skips folders that contain nothing but one folder. */
export function firstBranchingFolder(files: readonly StoredFile[], folder: string): string {
  const [only, ...others] = entriesIn(files, folder)
  if (only === undefined || others.length > 0 || only.packageUuid !== undefined) return folder
  return firstBranchingFolder(files, only.path)
}
