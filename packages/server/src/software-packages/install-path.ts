import { ApiError } from '../platform/api-error.ts'

/** Where a package could change what the machine itself runs, or who may enter it. */
const systemFolders = [
  '/etc',
  '/boot',
  '/dev',
  '/proc',
  '/sys',
  '/run',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/lib64',
  '/var/spool/cron',
]

const refused = (path: string, rule: string): ApiError =>
  new ApiError('SoftwarePackage.1131', `the installPath ${path.slice(0, 200)} ${rule}`)

/** The shape that every path has, on a host or on storage. */
function checkShape(path: string): void {
  if (!/^[/A-Za-z0-9_.-]+$/.test(path)) throw refused('', 'may hold only letters, digits and / _ . -')
  if (path.includes('//')) throw refused(path, 'may not hold //')
  if (path.endsWith('/')) throw refused(path, 'names a folder; it must name the file')
  if (path.split('/').some((part) => part === '..' || part === '.'))
    throw refused(path, 'may not hold . or .. as a part')
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** The file to be made on a host. `alsoRefused`: folders that are not for packages on this one. */
export function checkHostPath(path: string, alsoRefused: readonly string[] = []): void {
  if (!path.startsWith('/')) throw refused(path, 'must be absolute')
  checkShape(path)
  checkPlace(path, alsoRefused)
}

/** The same for what the host makes of it, links followed: a harmless name may lead to a system folder. */
export function checkRealPlace(realPath: string, alsoRefused: readonly string[] = []): void {
  checkPlace(realPath, alsoRefused)
}

function checkPlace(path: string, alsoRefused: readonly string[]): void {
  const folder = [...systemFolders, ...alsoRefused].find((one) => isInside(path, one))
  if (folder !== undefined) throw refused(path, `is under ${folder}, which is not for packages`)
  if (path.split('/').includes('.ssh')) throw refused(path, 'is under .ssh, which is not for packages')
}

/** The file to be made on backup storage, relative to its root; a leading slash means that root. */
export function storagePath(path: string): string {
  const relative = path.replace(/^\//, '')
  if (relative === '') throw refused(path, 'must name a file')
  // as it was given: a second slash would be taken for a part of the name
  checkShape(path)
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
