import { readManifest } from './read-manifest.ts'
import { packageName } from './suggested-path.ts'

/** A file to upload with its name and type. */
export interface Draft {
  readonly file: File
  readonly name: string
  readonly type: string
}

/** Prefilled from the manifest of the package, if it can be read. */
export async function draftOf(file: File): Promise<Draft> {
  const manifest = await readManifest(file)
  const name = manifest ? `${manifest.name} ${manifest.version}` : packageName(file.name)
  return { file, name, type: manifest?.type ?? '' }
}

export const isType = (type: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(type)
