import type { queryHost } from '@wharf/contract'
import type { RecordOf } from '../../../../components/ResourceTable.tsx'

export type Host = RecordOf<typeof queryHost>

/** The fields as typed; the private key of a host is never shown. */
export interface EditForm {
  readonly name: string
  readonly description: string
  readonly address: string
  readonly sshPort: string
  readonly username: string
  readonly hostKeyFingerprint: string
  readonly key: 'kept' | 'own' | 'given'
  readonly privateKey: string
}

export const formOf = (host: Host): EditForm => ({
  name: host.name ?? '',
  description: host.description ?? '',
  address: host.address ?? '',
  sshPort: String(host.sshPort ?? ''),
  username: host.username ?? '',
  hostKeyFingerprint: host.hostKeyFingerprint ?? '',
  key: 'kept',
  privateKey: '',
})

export type Problem = 'required' | 'badPort' | 'badKey' | 'badFingerprint'
export type Problems = Readonly<Partial<Record<keyof EditForm, Problem>>>

/** The machine of a management node has no connection to change. */
export const hasConnection = ({ driver }: Host): boolean => driver === 'ssh'

export function problemsOf(form: EditForm, host: Host): Problems {
  const missing = (field: 'name' | 'address' | 'username'): Problems =>
    form[field].trim() === '' ? { [field]: 'required' } : {}
  if (!hasConnection(host)) return missing('name')
  const port = Number(form.sshPort)
  const isPort = /^\d+$/.test(form.sshPort) && port >= 1 && port <= 65_535
  return {
    ...missing('name'),
    ...missing('address'),
    ...missing('username'),
    ...(isPort ? {} : { sshPort: 'badPort' as const }),
    ...(form.hostKeyFingerprint.trim().startsWith('SHA256:') ? {} : { hostKeyFingerprint: 'badFingerprint' as const }),
    ...(form.key === 'given' && !form.privateKey.trimStart().startsWith('-----BEGIN')
      ? { privateKey: 'badKey' as const }
      : {}),
  }
}

/** The fields of UpdateHost that differ from the host; what stays is not sent. */
export function changeOf(form: EditForm, host: Host) {
  const before = formOf(host)
  const changed = <F extends 'name' | 'address' | 'username' | 'hostKeyFingerprint'>(field: F) =>
    form[field].trim() === before[field] ? {} : { [field]: form[field].trim() }
  const description = form.description.trim()
  const clear = [
    ...(description === '' && before.description !== '' ? (['description'] as const) : []),
    ...(hasConnection(host) && form.key === 'own' ? (['privateKey'] as const) : []),
  ]
  return {
    ...changed('name'),
    ...(description === '' || description === before.description ? {} : { description }),
    ...(hasConnection(host)
      ? {
          ...changed('address'),
          ...(form.sshPort === before.sshPort ? {} : { sshPort: Number(form.sshPort) }),
          ...changed('username'),
          ...changed('hostKeyFingerprint'),
          ...(form.key === 'given' ? { privateKey: `${form.privateKey.trim()}\n` } : {}),
        }
      : {}),
    ...(clear.length > 0 ? { clear } : {}),
  }
}
