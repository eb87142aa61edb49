import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { writePrivateFile } from '@wharf/platform/private-file.ts'

/** The file of a first start for the operator: the address of the server and its first credentials. */
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

export const bootstrapPath = (data: string): string => join(data, 'bootstrap.json')

export function readBootstrapFile(data: string): BootstrapFile | undefined {
  const path = bootstrapPath(data)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    // its secrets may still be readable, so it is not replaced
    throw new OperatorError(`${path} cannot be read; fix it, or move it away to start without it`, { cause })
  }
}

export const writeBootstrapFile = (data: string, file: BootstrapFile): void =>
  writePrivateFile(bootstrapPath(data), `${JSON.stringify(file, null, 2)}\n`)

/** Removes the password from the file after it was changed. */
export async function dropChangedPassword(
  data: string,
  isStillRight: (accountUuid: string, password: string) => Promise<boolean>,
): Promise<void> {
  const { accountUuid, password } = readBootstrapFile(data) ?? {}
  if (password === undefined || accountUuid === undefined || (await isStillRight(accountUuid, password))) return
  // read again: the file may have changed while the password was checked
  const file = readBootstrapFile(data)
  if (file?.password !== password) return
  const { password: _, ...rest } = file
  writeBootstrapFile(data, rest)
}
