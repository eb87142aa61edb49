import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Tx } from '@wharf/database/database.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { readText, writePrivateFile } from '@wharf/platform/private-file.ts'
import type { Secret } from '@wharf/platform/secret.ts'
import type { BackupStorageService } from '../resources/backup-storage/service.ts'
import type { HostService } from '../resources/hosts/service.ts'
import type { AccessKeyService } from '../resources/identity/access-keys/service.ts'
import type { AccountService } from '../resources/identity/accounts/service.ts'
import { passwordProblem } from '../resources/identity/password-rules.ts'
import type { Passwords } from '../resources/identity/passwords.ts'
import { type NodeService, NodeStore } from '../resources/management-nodes/service.ts'
import { type BootstrapFile, readBootstrapFile, writeBootstrapFile } from './bootstrap-file.ts'

export type { BootstrapFile }

interface BootstrapDeps {
  database: Database
  data: string
  adminPassword?: Secret | undefined
  nodes: NodeService
  accounts: AccountService
  keys: AccessKeyService
  hosts: HostService
  backupStorage: BackupStorageService
  passwords: Passwords
}

export const nodeUuidPath = (data: string): string => join(data, 'node-uuid')

/** The uuid of the management node of this data folder. */
export function nodeUuidOf(data: string): string {
  const path = nodeUuidPath(data)
  if (!existsSync(path)) writePrivateFile(path, `${newUuid()}\n`)
  const uuid = readText(path, 'put it back').trim()
  if (!/^[0-9a-f]{32}$/.test(uuid)) throw new OperatorError(`${path} does not contain a uuid of 32 hex digits`)
  return uuid
}

const adminName = 'admin'

/** Once per database: the admin and its key. Once per node: its machine as a host, a folder as backup storage. */
export async function bootstrap(url: string, deps: BootstrapDeps): Promise<void> {
  const { database, data, nodes } = deps
  const folder = join(data, 'backup-storage')
  if (await new NodeStore(database).find(nodes.uuid)) return deps.backupStorage.updateOwnFolder(folder)
  const password = deps.adminPassword?.reveal() ?? randomBytes(15).toString('base64url')
  await refuseWeakAdminPassword(deps, password)
  const passwordHash = await deps.passwords.hash(password)
  await database.transaction(async (tx) => {
    await database.lock(tx, 'bootstrap')
    const hostUuid = await deps.hosts.registerThisMachine(tx, nodes.uuid)
    const backupStorageUuid = await deps.backupStorage.registerFolder(tx, folder)
    const admin = await createAdmin(tx, passwordHash, deps)
    // in this transaction, so that the node is known exactly when all of this is done
    await nodes.register(tx, url, url)
    // on the disk before the commit: credentials that cannot be read again would lock everyone out
    writeBootstrapFile(data, {
      url,
      ...(admin ? { accountName: adminName, password, ...admin } : {}),
      managementNodeUuid: nodes.uuid,
      hostUuid,
      backupStorageUuid,
    })
  })
}

/** Other nodes of the database need not have the setting at all. */
async function refuseWeakAdminPassword({ accounts }: BootstrapDeps, password: string): Promise<void> {
  const problem = passwordProblem(password)
  if (problem !== undefined && (await accounts.findByName(adminName)) === undefined)
    throw new OperatorError(`WHARF_ADMIN_PASSWORD ${problem}`)
}

async function createAdmin(tx: Tx, passwordHash: string, { accounts, keys }: BootstrapDeps) {
  if (!(await accounts.isEmpty(tx))) return undefined
  const { uuid } = await accounts.createAccount(tx, {
    name: adminName,
    passwordHash,
    hasBootstrapPassword: true,
    role: 'admin',
  })
  const credential = { kind: 'none' } as const
  const names = { accountUuid: uuid, userUuid: uuid, userName: adminName }
  const caller = { ...names, role: 'admin', scope: undefined, credential } as const
  const key = await keys.create(tx, caller, {
    accountUuid: uuid,
    userUuid: uuid,
    description: 'created at the first start',
  })
  return {
    accountUuid: uuid,
    userUuid: uuid,
    accessKeyId: key.AccessKeyID,
    accessKeySecret: key.AccessKeySecret ?? '',
  }
}

/** Writes the current address at every start; a removed file is created again without secrets. */
export async function refreshBootstrapFile(url: string, deps: BootstrapDeps): Promise<void> {
  const { data } = deps
  const file = readBootstrapFile(data) ?? (await withoutSecrets(url, deps))
  writeBootstrapFile(data, { ...file, url })
}

async function withoutSecrets(
  url: string,
  { accounts, nodes, hosts, backupStorage }: BootstrapDeps,
): Promise<BootstrapFile> {
  const managementNodeUuid = nodes.uuid
  const [admin, host, backupStorageUuid] = await Promise.all([
    accounts.findByName(adminName),
    hosts.findThisMachine(),
    backupStorage.findOwnFolder(),
  ])
  return {
    url,
    ...(admin ? { accountName: adminName, accountUuid: admin.uuid, userUuid: admin.uuid } : {}),
    managementNodeUuid,
    ...(host ? { hostUuid: host.uuid } : {}),
    ...(backupStorageUuid ? { backupStorageUuid } : {}),
  }
}
