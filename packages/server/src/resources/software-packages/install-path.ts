import { ApiError } from '@wharf/platform/api-error.ts'
import { checkPathLocation, checkPathSyntax } from '@wharf/platform/package-paths.ts'

const refused = (path: string, rule: string): ApiError =>
  new ApiError('SoftwarePackage.1131', `the installPath ${path.slice(0, 200)} ${rule}`)

function checkFile(path: string): void {
  checkPathSyntax(path, refused)
  if (path.endsWith('/')) throw refused(path, 'names a folder; it must name the file')
}

/** The file to be created on a host. `dataFolders`: the server's own, when the host is its machine. */
export function checkHostPath(path: string, dataFolders: readonly string[] = []): void {
  if (!path.startsWith('/')) throw refused(path, 'must be absolute')
  checkFile(path)
  checkRealPath(path, dataFolders)
}

/** The same for the real path on the host: a harmless name may be a link to a system folder. */
export function checkRealPath(realPath: string, dataFolders: readonly string[] = []): void {
  checkPathLocation(realPath, dataFolders, refused)
}

/** The file to be created on backup storage, relative to its root; a leading slash means that root. */
export function normalizeStoragePath(path: string): string {
  const relative = path.replace(/^\//, '')
  if (relative === '') throw refused(path, 'must name a file')
  // as it was sent: a second slash would otherwise be part of the name
  checkFile(path)
  return relative
}

/** A folder to be measured: any absolute path without `..` and NUL, normalized. */
export function normalizeDirectory(path: string): string {
  const rule = !path.startsWith('/')
    ? 'must be absolute'
    : path.split('/').includes('..')
      ? 'must not contain ..'
      : path.includes('\0')
        ? 'must not contain NUL'
        : undefined
  if (rule !== undefined) throw new ApiError('SoftwarePackage.1131', `the directoryPath ${rule}`)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return `/${parts.join('/')}`
}
