import { readManifest } from './read-manifest.ts'
import { packageName } from './suggested-path.ts'

/** A package as it will be called, before it is sent. */
export interface Draft {
  readonly file: File
  readonly name: string
  readonly type: string
}

/** With what the package says of itself, where it can be read. */
export async function draftOf(file: File): Promise<Draft> {
  const manifest = await readManifest(file)
  const name = manifest ? `${manifest.name} ${manifest.version}` : packageName(file.name)
  return { file, name, type: manifest?.type ?? '' }
}

export const isType = (type: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(type)
