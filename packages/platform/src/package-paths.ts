/** Folders where a package could change the system's programs or its logins. */
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

/** In a user's home, and the only part of the data folder for packages: for a service user both are one folder. */
export const packagesFolderName = 'wharf-packages'

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

type Refuse = (path: string, rule: string) => Error

/** The syntax of every path, on a host or on storage. */
export function checkPathSyntax(path: string, refuse: Refuse): void {
  if (!/^[/A-Za-z0-9_.-]+$/.test(path)) throw refuse('', 'may contain only letters, digits and / _ . -')
  if (path.includes('//')) throw refuse(path, 'must not contain //')
  if (path.split('/').some((part) => part === '..' || part === '.'))
    throw refuse(path, 'must not contain . or .. as a segment')
}

/** Refuses absolute paths in system folders. `dataFolders`: the server's own, when the path is on its machine. */
export function checkPathLocation(path: string, dataFolders: readonly string[], refuse: Refuse): void {
  const folder =
    systemFolders.find((one) => isInside(path, one)) ??
    dataFolders.find((one) => isInside(path, one) && !isInside(path, `${one}/${packagesFolderName}`))
  if (folder !== undefined) throw refuse(path, `is under ${folder}, which is not for packages`)
  if (path.split('/').includes('.ssh')) throw refuse(path, 'is under .ssh, which is not for packages')
}
