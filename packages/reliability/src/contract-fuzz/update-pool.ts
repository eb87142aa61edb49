import type { Operation } from '@wharf/contract'
import type { Draft, Fields } from './draft.ts'
import { collectionOf } from './fields.ts'
import { creatorAt, type Kind, kindAt, type Pool } from './pool.ts'

/** Records that no call creates: queries return them. */
const foundByQuery: readonly Kind[] = ['alerts', 'deliveries', 'systemTags', 'userTags', 'nodes']

/** Operations that create a record elsewhere than in their own path's collection, or one with a short name. */
const creates: Readonly<Record<string, Kind>> = {
  CreateAccount: 'accounts',
  CreateUser: 'users',
  CreateAccessKey: 'keys',
  CreateTag: 'tags',
  CreateUserTag: 'userTags',
  AddHost: 'hosts',
  AddBackupStorage: 'storages',
  AddClusterPlugin: 'plugins',
  CreateChatAppEndpoint: 'endpoints',
  AddSNSChatAppAtPerson: 'persons',
  UploadSoftwarePackage: 'packages',
  UploadSoftwarePackageToBackupStorage: 'packages',
  LogInByAccount: 'sessions',
  LogInByUser: 'sessions',
}

const statusAfter: Readonly<Record<string, string>> = {
  InstallSoftwarePackage: 'Installed',
  UninstallSoftwarePackage: 'Uploaded',
  SilenceThirdpartyAlert: 'silenced',
  DenyRollout: 'Denied',
  PauseRollout: 'Paused',
  ResumeRollout: 'Running',
  StopRollout: 'Stopped',
  RollBackRollout: 'RolledBack',
}

interface Answer {
  readonly location?: string
  /** Null for a dry run. */
  readonly inventory?: (Fields & { readonly uuid: string }) | null
  readonly inventories?: readonly Fields[]
  readonly thirdPartyPlatform?: { readonly uuid: string }
  readonly systemTags?: readonly string[]
  readonly token?: string | null
}

/** Adds what this call created, and removes what it deleted. */
export function updatePool(pool: Pool, { operation, uuid, fields }: Draft, status: number, text: string): void {
  const isOne = operation.path.includes('{uuid}')
  if (status === 404 && isOne && uuid !== undefined) pool.remove(kindAt(operation.path), uuid)
  // a stream may be several objects
  if (status >= 300 || operation.mode === 'stream' || !text.startsWith('{')) return
  const answer = JSON.parse(text) as Answer
  if (status === 202 && answer.location !== undefined) addJob(pool, operation, answer.location)
  if (operation.method === 'DELETE' && status === 200 && uuid !== undefined) pool.remove(kindAt(operation.path), uuid)
  const kind = creates[operation.name] ?? (creatorAt(operation.path) === operation ? kindAt(operation.path) : undefined)
  if (kind !== undefined && answer.inventory) pool.add(kind, { ...fields, ...answer.inventory })
  if (operation.name === 'UpdateAccount' && uuid !== undefined)
    pool.add('accounts', { uuid, password: fields.password })
  if (operation.name === 'UpdateUser' && uuid !== undefined && fields.password)
    pool.add('users', { uuid, password: fields.password })
  if (answer.thirdPartyPlatform !== undefined) {
    pool.add('platforms', { uuid: answer.thirdPartyPlatform.uuid })
    if (uuid !== undefined) pool.add('plugins', { uuid, status: 'with a platform' })
  }
  if (operation.name === 'ResetThirdpartyToken' && uuid !== undefined && answer.token)
    pool.add('platforms', { uuid, token: answer.token })
  const newStatus = statusAfter[operation.name]
  if (newStatus !== undefined && status === 200 && uuid !== undefined)
    pool.add(kindAt(operation.path), { uuid, status: newStatus })
  for (const tag of operation.name.startsWith('Upload') ? (answer.systemTags ?? []) : [])
    pool.add('uploadAddresses', { uuid: tag.slice('uploadUrl::'.length) })
  if (operation.queries !== undefined) addRecords(pool, operation, answer.inventories ?? [])
}

function addJob(pool: Pool, operation: Operation, location: string): void {
  const { pathname, searchParams } = new URL(location)
  const uuid = pathname.split('/').at(-1) ?? ''
  pool.add('jobs', { uuid, token: searchParams.get('token'), operation })
}

function addRecords(pool: Pool, operation: Operation, records: readonly Fields[]): void {
  const collection = collectionOf(operation)
  if (records.length > 0) pool.seen.set(collection, records.slice(0, 5))
  if (operation.name === 'QueryClusterPluginAlertPlatform') return
  const kind = kindAt(operation.path)
  if (!foundByQuery.includes(kind)) return
  for (const { uuid } of records.slice(0, 5)) if (typeof uuid === 'string') pool.add(kind, { uuid })
}
