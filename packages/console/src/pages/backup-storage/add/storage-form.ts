import type { addBackupStorage } from '@wharf/contract'
import type { InputOf } from '@wharf/sdk'

export const storageTypes = ['folder', 'sftp', 's3'] as const
export type StorageType = (typeof storageTypes)[number]

/** The fields as typed; the server receives them as a URL. */
export const emptyForm = {
  type: 'folder' as StorageType,
  name: '',
  description: '',
  folder: '',
  host: '',
  port: '',
  path: '',
  username: '',
  privateKey: '',
  hostKeyFingerprint: '',
  endpoint: '',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secretAccessKey: '',
  region: '',
}
export type StorageForm = typeof emptyForm
export type FieldName = Exclude<keyof StorageForm, 'type'>
export type Problem = 'required' | 'absolute' | 'port' | 'endpoint' | 'fingerprint'

const needed: Record<StorageType, readonly FieldName[]> = {
  folder: ['name', 'folder'],
  sftp: ['name', 'host', 'username', 'path'],
  s3: ['name', 'bucket', 'accessKeyId', 'secretAccessKey'],
}

/** The problems that can be found without a connection, by field. */
export function problemsOf(form: StorageForm): Partial<Record<FieldName, Problem>> {
  const problems: Partial<Record<FieldName, Problem>> = {}
  const { type, folder, path, port, hostKeyFingerprint, endpoint } = form
  if (type === 'folder' && !folder.startsWith('/')) problems.folder = 'absolute'
  if (type === 'sftp') {
    if (!path.startsWith('/')) problems.path = 'absolute'
    if (port !== '' && !isPort(port)) problems.port = 'port'
    if (hostKeyFingerprint !== '' && !hostKeyFingerprint.startsWith('SHA256:'))
      problems.hostKeyFingerprint = 'fingerprint'
  }
  if (type === 's3' && endpoint !== '' && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    problems.endpoint = 'endpoint'
  for (const field of needed[type]) if (form[field].trim() === '') problems[field] = 'required'
  return problems
}

const isPort = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535

export function addressOf(form: StorageForm): string {
  const parts = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
  if (form.type === 'folder') return `file://${parts(form.folder.trim())}`
  if (form.type === 'sftp') {
    const host = form.host.includes(':') ? `[${form.host.trim()}]` : form.host.trim()
    return `sftp://${host}${form.port && `:${form.port}`}${parts(form.path.trim())}`
  }
  const inside = [form.bucket.trim(), ...form.prefix.split('/').filter(Boolean)].map(encodeURIComponent).join('/')
  return form.endpoint === '' ? `s3://${inside}` : `${form.endpoint.trim().replace(/\/+$/, '')}/${inside}`
}

/** Only the fields of the type: the server rejects others. */
export function inputOf(form: StorageForm): InputOf<typeof addBackupStorage> {
  const given = (text: string): string | undefined => text.trim() || undefined
  const common = {
    type: form.type,
    name: form.name.trim(),
    description: given(form.description),
    url: addressOf(form),
  }
  if (form.type === 'folder') return common
  if (form.type === 'sftp')
    return {
      ...common,
      username: form.username.trim(),
      privateKey: form.privateKey || undefined,
      hostKeyFingerprint: given(form.hostKeyFingerprint),
    }
  return {
    ...common,
    accessKeyId: form.accessKeyId.trim(),
    secretAccessKey: form.secretAccessKey,
    region: given(form.region),
  }
}
