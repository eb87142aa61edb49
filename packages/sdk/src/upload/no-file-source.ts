import type { ByteSource } from './source.ts'

/** What stands in for files by path where there are none. */
export async function fileSource(path: string, _byFetch: boolean): Promise<ByteSource> {
  throw new TypeError(`${path}: a page has no paths; give a File, a Blob or a stream`)
}
