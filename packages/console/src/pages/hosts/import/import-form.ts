import type { ListedHost } from '@wharf/sdk'

/** What applies to the hosts whose line names nothing else. */
export interface ImportDefaults {
  readonly username: string
  readonly privateKey: string
}

export const newDefaults: ImportDefaults = { username: 'root', privateKey: '' }

export type Problem = 'noUser' | 'badKey'

export function problemOf({ username, privateKey }: ImportDefaults): Problem | undefined {
  if (username.trim() === '') return 'noUser'
  return privateKey.trim() === '' || privateKey.trimStart().startsWith('-----BEGIN') ? undefined : 'badKey'
}

/** The input of AddHost for a line of the file. */
export function inputOf({ line: _, ...host }: ListedHost, { username, privateKey }: ImportDefaults) {
  return {
    driver: 'ssh' as const,
    username: username.trim(),
    ...(privateKey.trim() === '' ? {} : { privateKey: `${privateKey.trim()}\n` }),
    ...host,
  }
}
