export interface StoredFile {
  readonly uuid: string
  readonly name: string
  readonly installPath: string
  readonly size: number
}

/** What lies directly in a folder, with all the bytes below it. */
export interface Entry {
  readonly path: string
  readonly name: string
  readonly size: number
  /** Of a file; a folder has none. */
  readonly packageUuid?: string
  readonly files: number
}

/** `/opt//packages/` → `/opt/packages`; always absolute. */
export const cleanFolder = (path: string): string => `/${path.split('/').filter(Boolean).join('/')}`

/** Every folder on the way there, the root first. */
export function foldersTo(path: string): string[] {
  const parts = cleanFolder(path).split('/').filter(Boolean)
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}

export function filesIn(files: readonly StoredFile[], folder: string): StoredFile[] {
  const start = folder === '/' ? '/' : `${folder}/`
  return files.filter(({ installPath }) => installPath.startsWith(start))
}

/** The largest first. */
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

/** Folders that hold nothing but one folder tell nothing: the first one that does. */
export function firstWorthSeeing(files: readonly StoredFile[], folder: string): string {
  const [only, ...others] = entriesIn(files, folder)
  if (only === undefined || others.length > 0 || only.packageUuid !== undefined) return folder
  return firstWorthSeeing(files, only.path)
}
