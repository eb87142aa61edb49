import { posix } from 'node:path'
import { invalid } from '@wharf/platform/api-error.ts'

const maxPathBytes = 4096

/** A path on a host is unambiguous and never an option or the root: absolute, without `.`, `..` or `//`. */
export function hostPath(path: string): string {
  const isPlain = path.startsWith('/') && path === posix.normalize(path) && !path.endsWith('/')
  if (!isPlain || path.includes('\0') || Buffer.byteLength(path) >= maxPathBytes)
    throw invalid(`${JSON.stringify(path.slice(0, 100))} is not the absolute, plain path of a file or folder`)
  return path
}
