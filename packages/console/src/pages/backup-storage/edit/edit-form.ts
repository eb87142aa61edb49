import type { queryBackupStorage } from '@wharf/contract'
import type { RecordOf } from '../../../components/ResourceTable.tsx'

export type Storage = RecordOf<typeof queryBackupStorage>

/** The fields as typed; credentials are never shown, and empty ones stay as they are. */
export interface EditForm {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly username: string
  readonly key: 'kept' | 'own' | 'given'
  readonly privateKey: string
  readonly hostKeyFingerprint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export const formOf = ({ name = '', description, url = '' }: Storage): EditForm => ({
  name,
  description: description ?? '',
  url,
  username: '',
  key: 'kept',
  privateKey: '',
  hostKeyFingerprint: '',
  accessKeyId: '',
  secretAccessKey: '',
  region: '',
})

export type Problem = 'required' | 'badKey' | 'fingerprint' | 'secretRequired'
export type Problems = Readonly<Partial<Record<keyof EditForm, Problem>>>

export function problemsOf(form: EditForm, { type }: Storage): Problems {
  const missing = (field: 'name' | 'url'): Problems => (form[field].trim() === '' ? { [field]: 'required' } : {})
  const fingerprint = form.hostKeyFingerprint.trim()
  return {
    ...missing('name'),
    ...missing('url'),
    ...(type === 'sftp' && fingerprint !== '' && !fingerprint.startsWith('SHA256:')
      ? { hostKeyFingerprint: 'fingerprint' as const }
      : {}),
    ...(type === 'sftp' && form.key === 'given' && !form.privateKey.trimStart().startsWith('-----BEGIN')
      ? { privateKey: 'badKey' as const }
      : {}),
    ...(type === 's3' && form.accessKeyId.trim() !== '' && form.secretAccessKey === ''
      ? { secretAccessKey: 'secretRequired' as const }
      : {}),
  }
}

/** The fields of UpdateBackupStorage that differ; only those of the type. */
export function changeOf(form: EditForm, storage: Storage) {
  const before = formOf(storage)
  const { type } = storage
  const given = (field: Exclude<keyof EditForm, 'key'>) =>
    form[field].trim() === '' || form[field].trim() === before[field] ? {} : { [field]: form[field].trim() }
  const clear = [
    ...(form.description.trim() === '' && before.description !== '' ? (['description'] as const) : []),
    ...(type === 'sftp' && form.key === 'own' ? (['privateKey'] as const) : []),
  ]
  return {
    ...given('name'),
    ...given('description'),
    ...given('url'),
    ...(type === 'sftp' ? { ...given('username'), ...given('hostKeyFingerprint') } : {}),
    ...(type === 'sftp' && form.key === 'given' ? { privateKey: `${form.privateKey.trim()}\n` } : {}),
    ...(type === 's3' ? { ...given('accessKeyId'), ...given('secretAccessKey'), ...given('region') } : {}),
    ...(clear.length > 0 ? { clear } : {}),
  }
}
