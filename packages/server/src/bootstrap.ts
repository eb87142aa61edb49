import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupStorageService } from './backup-storage/service.ts'
import type { Database, Tx } from './database/database.ts'
import type { HostService } from './hosts/service.ts'
import type { AccessKeyService } from './identity/access-keys/service.ts'
import type { AccountService } from './identity/accounts/service.ts'
import type { Passwords } from './identity/passwords.ts'
import { newUuid } from './platform/ids.ts'
import { writePrivateFile } from './platform/private-file.ts'
import type { Secret } from './platform/secret.ts'

/** What a first start leaves for whoever runs it: where the server is, and how to get in. */
export interface BootstrapFile {
  url: string
  accountName?: string
  password?: string
  accountUuid?: string
  userUuid?: string
  accessKeyId?: string
  accessKeySecret?: string
  managementNodeUuid: string
  hostUuid?: string
  backupStorageUuid?: string
}

interface Parts {
  database: Database
  data: string
  adminPassword?: Secret | undefined
  accounts: AccountService
  keys: AccessKeyService
  hosts: HostService
  backupStorage: BackupStorageService
  passwords: Passwords
}

export const bootstrapPath = (data: string): string => join(data, 'bootstrap.json')

/** The uuid of the management node that works in this data folder. */
export function nodeUuidOf(data: string): string {
  const path = join(data, 'node-uuid')
  if (!existsSync(path)) writePrivateFile(path, `${newUuid()}\n`)
  return readFileSync(path, 'utf8').trim()
}

/** Once per database: the admin and its key. Once per node: its machine as a host, a folder as backup storage. */
export async function bootstrap(nodeUuid: string, parts: Parts): Promise<void> {
  const { database, data } = parts
  const isKnown = await database.read
    .selectFrom('managementNodes')
    .select('uuid')
    .where('uuid', '=', nodeUuid)
    .executeTakeFirst()
  if (isKnown) return
  const password = parts.adminPassword?.reveal() ?? randomBytes(15).toString('base64url')
  const passwordHash = await parts.passwords.hash(password)
  await database.transaction(async (tx) => {
    await database.lock(tx, 'bootstrap')
    const hostUuid = await parts.hosts.registerThisMachine(tx, nodeUuid)
    const backupStorageUuid = await parts.backupStorage.registerFolder(tx, nodeUuid, join(data, 'backup-storage'))
    const admin = await createAdmin(tx, passwordHash, parts)
    // on the disk before the commit: credentials that nobody can read again would lock everyone out
    const file: BootstrapFile = {
      url: '',
      ...(admin ? { accountName: 'admin', password, ...admin } : {}),
      managementNodeUuid: nodeUuid,
      hostUuid,
      backupStorageUuid,
    }
    write(data, file)
  })
}

async function createAdmin(tx: Tx, passwordHash: string, { accounts, keys }: Parts) {
  const someone = await tx.selectFrom('accounts').select('uuid').limit(1).executeTakeFirst()
  if (someone) return undefined
  const { uuid } = await accounts.createAccount(tx, { name: 'admin', passwordHash, role: 'admin' })
  const caller = { accountUuid: uuid, userUuid: uuid, role: 'admin', credential: { kind: 'none' } } as const
  const key = await keys.create(tx, caller, {
    accountUuid: uuid,
    userUuid: uuid,
    description: 'made at the first start',
  })
  return {
    accountUuid: uuid,
    userUuid: uuid,
    accessKeyId: key.AccessKeyID,
    accessKeySecret: key.AccessKeySecret,
  }
}

/** At every start the address in use; a file that was removed comes back without secrets. */
export function refreshBootstrapFile(data: string, nodeUuid: string, url: string): void {
  write(data, { ...(readBootstrapFile(data) ?? { managementNodeUuid: nodeUuid }), url })
}

/** Once the password was changed it goes from the file. */
export async function dropChangedPassword(
  data: string,
  isStillRight: (uuid: string, password: string) => Promise<boolean>,
) {
  const file = readBootstrapFile(data)
  if (file?.password === undefined || file.accountUuid === undefined) return
  if (await isStillRight(file.accountUuid, file.password)) return
  const { password: _, ...rest } = file
  write(data, rest)
}

function readBootstrapFile(data: string): BootstrapFile | undefined {
  try {
    return JSON.parse(readFileSync(bootstrapPath(data), 'utf8'))
  } catch {
    return undefined
  }
}

const write = (data: string, file: BootstrapFile): void =>
  writePrivateFile(bootstrapPath(data), `${JSON.stringify(file, null, 2)}\n`)
