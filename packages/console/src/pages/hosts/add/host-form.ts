import { folderProblem } from '../../../components/folder-problem.ts'

/** The fields as typed. */
export interface HostForm {
  readonly driver: 'ssh' | 'local'
  readonly name: string
  readonly address: string
  readonly sshPort: string
  readonly username: string
  readonly key: 'own' | 'given'
  readonly privateKey: string
  readonly packagesPath: string
  readonly description: string
}

export const newHostForm = (search: URLSearchParams): HostForm => ({
  driver: 'ssh',
  name: search.get('name') ?? '',
  address: search.get('address') ?? '',
  sshPort: '22',
  username: 'root',
  key: 'own',
  privateKey: '',
  packagesPath: '',
  description: '',
})

export type Problem = 'required' | 'badPort' | 'badKey' | 'badFolder'
export type Problems = Readonly<Partial<Record<keyof HostForm, Problem>>>

/** The driver local uses only the name and the packages folder. */
export function problemsOf(form: HostForm): Problems {
  const { driver, name, address, sshPort, username, key, privateKey, packagesPath } = form
  const missing = (text: string, field: keyof HostForm): Problems => (text.trim() === '' ? { [field]: 'required' } : {})
  const folder = packagesPath.trim()
  const always: Problems = {
    ...missing(name, 'name'),
    ...(folder === '' || folderProblem(folder, true) === undefined ? {} : { packagesPath: 'badFolder' }),
  }
  if (driver === 'local') return always
  const port = Number(sshPort)
  return {
    ...always,
    ...missing(address, 'address'),
    ...missing(username, 'username'),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 ? {} : { sshPort: 'badPort' as const }),
    ...(key === 'given' && !privateKey.trimStart().startsWith('-----BEGIN') ? { privateKey: 'badKey' as const } : {}),
  }
}

/** The address of the host; other fields do not affect the offered keys. */
export const targetOf = ({ name, address, sshPort, username }: HostForm) => ({
  name: name.trim() || address.trim(),
  address: address.trim(),
  sshPort: Number(sshPort),
  username: username.trim(),
})

export function inputOf(form: HostForm, hostKeyFingerprint: string | undefined) {
  const { driver, key, privateKey, packagesPath, description, name } = form
  const more = {
    ...(packagesPath.trim() === '' ? {} : { packagesPath: packagesPath.trim() }),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  }
  if (driver === 'local') return { driver, name: name.trim(), address: '127.0.0.1', username: 'root', ...more }
  return {
    driver,
    ...targetOf(form),
    ...more,
    ...(key === 'given' ? { privateKey: `${privateKey.trim()}\n` } : {}),
    ...(hostKeyFingerprint === undefined ? {} : { hostKeyFingerprint }),
  }
}
