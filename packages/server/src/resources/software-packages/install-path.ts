import { ApiError } from '@wharf/platform/api-error.ts'
import { checkPathLocation, checkPathSyntax } from '@wharf/platform/package-paths.ts'

const refused = (path: string, rule: string): ApiError =>
  new ApiError('SoftwarePackage.1131', `the installPath ${path.slice(0, 200)} ${rule}`)

function checkFile(path: string): void {
  checkPathSyntax(path, refused)
  if (path.endsWith('/')) throw refused(path, 'names a folder; it must name the file')
}

/** The file to be made on a host. `dataFolders`: the server's own, when the host is its machine. */
export function checkHostPath(path: string, dataFolders: readonly string[] = []): void {
  if (!path.startsWith('/')) throw refused(path, 'must be absolute')
  checkFile(path)
  checkRealPlace(path, dataFolders)
}

/** The same for what the host makes of it, links followed: a harmless name may lead to a system folder. */
export function checkRealPlace(realPath: string, dataFolders: readonly string[] = []): void {
  checkPathLocation(realPath, dataFolders, refused)
}

/** The file to be made on backup storage, relative to its root; a leading slash means that root. */
export function storagePath(path: string): string {
  const relative = path.replace(/^\//, '')
  if (relative === '') throw refused(path, 'must name a file')
  // as it was given: a second slash would be taken for a part of the name
  checkFile(path)
  return relative
}

/** A folder to be measured, in its plain form: anything absolute without tricks. */
export function checkedDirectory(path: string): string {
  const rule = !path.startsWith('/')
    ? 'must be absolute'
    : path.split('/').includes('..')
      ? 'may not hold ..'
      : path.includes('\0')
        ? 'may not hold NUL'
        : undefined
  if (rule !== undefined) throw new ApiError('SoftwarePackage.1131', `the directoryPath ${rule}`)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return `/${parts.join('/')}`
}
