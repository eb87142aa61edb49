import { folderProblem } from '../../components/folder-problem.ts'

interface Destination {
  readonly kind: 'host' | 'storage'
  readonly packagesPath: string | null
}

/**
 * The default folder for packages: on a host, below the folder that its user can write. Never a folder that every user
 * of the host can write, where another user could replace a package before it is installed.
 */
export function defaultFolder({ kind, packagesPath }: Destination): string {
  if (kind === 'storage') return 'packages'
  const folder = packagesPath === null ? undefined : `${packagesPath}/uploads`
  return folder !== undefined && folderProblem(folder, true) === undefined ? folder : '/srv/packages'
}

const archiveEnds = /\.(tar|tar\.gz|tgz|tar\.zst|zip)$/i

/** Replaces the characters that the server rejects in a path. */
export const safeFileName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').replace(/^\.*$/, 'package') || 'package'

/** `hello-1.0.0.tar.gz` → `hello-1.0.0` */
export const packageName = (fileName: string): string => fileName.replace(archiveEnds, '') || fileName

export const pathIn = (folder: string, fileName: string): string =>
  [folder.replace(/\/+$/, ''), safeFileName(fileName)].filter(Boolean).join('/')
