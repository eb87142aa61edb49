import { UsageError } from '../errors.ts'
import { readJsonFile } from './json-file.ts'
import type { StoredCredential } from './profiles.ts'

interface CredentialsFile {
  readonly url: string | undefined
  readonly credential: StoredCredential
}

/** The spelling of bootstrap.json, and of the API. */
const spellings = [
  ['accessKeyId', 'accessKeySecret'],
  ['AccessKeyID', 'AccessKeySecret'],
] as const

const forms =
  'the file must contain accessKeyId with accessKeySecret (bootstrap.json), AccessKeyID with AccessKeySecret (wharf key create --json), or session'

/** Reads the file of `--credentials`. Errors contain no values of the file. */
export function readCredentialsFile(path: string): CredentialsFile {
  const file = readJsonFile<Record<string, unknown>>(path, forms)
  if (file === undefined) throw new UsageError(`no file ${path}`, forms)
  const textOf = (name: string): string | undefined => {
    const value = file[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const url = textOf('url')
  for (const [idName, secretName] of spellings) {
    const [accessKeyId, accessKeySecret] = [textOf(idName), textOf(secretName)]
    if (accessKeyId !== undefined && accessKeySecret !== undefined)
      return { url, credential: { accessKeyId, accessKeySecret } }
    if (accessKeyId === accessKeySecret) continue
    const missing = accessKeyId === undefined ? idName : secretName
    throw new UsageError(`${missing} is missing in ${path}`, forms)
  }
  const session = textOf('session')
  if (session === undefined) throw new UsageError(`${path} contains no credential`, forms)
  return { url, credential: { session } }
}
