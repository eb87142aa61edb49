/** Where packages go unless somebody says otherwise: a folder that is there, and that survives a restart. */
export const standardFolder = { host: '/var/tmp/packages', storage: 'packages' } as const

const archiveEnds = /\.(tar|tar\.gz|tgz|tar\.zst|zip)$/i

/** A file name as the server takes it in a path. */
export const safeFileName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').replace(/^\.*$/, 'package') || 'package'

/** `hello-1.0.0.tar.gz` → `hello-1.0.0` */
export const packageName = (fileName: string): string => fileName.replace(archiveEnds, '') || fileName

export const pathIn = (folder: string, fileName: string): string =>
  [folder.replace(/\/+$/, ''), safeFileName(fileName)].filter(Boolean).join('/')

export type PathProblem = 'absolute' | 'characters' | 'dots'

/** What the server would refuse anyway, said before anything is sent. */
export function folderProblem(folder: string, isHost: boolean): PathProblem | undefined {
  if (isHost && !folder.startsWith('/')) return 'absolute'
  if (!/^[/A-Za-z0-9_.-]*$/.test(folder) || folder.includes('//')) return 'characters'
  return folder.split('/').some((part) => part === '.' || part === '..') ? 'dots' : undefined
}
