export type FolderProblem = 'absolute' | 'characters' | 'dots'

/** The server refuses these folders too; checking them here reports the problem before anything is sent. */
export function folderProblem(folder: string, isHost: boolean): FolderProblem | undefined {
  if (isHost && !folder.startsWith('/')) return 'absolute'
  if (!/^[/A-Za-z0-9_.-]*$/.test(folder) || folder.includes('//')) return 'characters'
  return folder.split('/').some((part) => part === '.' || part === '..') ? 'dots' : undefined
}
