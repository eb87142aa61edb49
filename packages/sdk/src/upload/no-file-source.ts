import type { ByteSource } from './byte-source.ts'

export { observedBody } from './xhr-body.ts'

/** Replaces file-source.ts in browsers. */
export async function fileSource(path: string, _byFetch: boolean): Promise<ByteSource> {
  throw new TypeError(`${path}: a browser cannot open a path; pass a File, a Blob or a stream`)
}
