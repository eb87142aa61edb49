import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError, reasonOf } from './operator-error.ts'
import { writePrivateFile } from './private-file.ts'
import type { Secret } from './secret.ts'
import { syncFolderSync } from './sync-folder.ts'

const keyBytes = 32

/** 64 hex digits or base64 of 32 bytes. */
export function parseMasterKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined
  return Buffer.from(trimmed, 'base64')
}

interface Source {
  data: string
  masterKey?: Secret | undefined
  masterKeyFile?: string | undefined
}

export const masterKeyPath = (data: string): string => join(data, 'master.key')

/** From the environment, from a file of the operator, or from the data folder; undefined before the first start. */
export function findMasterKey({ data, masterKey, masterKeyFile }: Source): Buffer | undefined {
  if (masterKey !== undefined) return parseMasterKey(masterKey.reveal())
  const file = masterKeyFile ?? masterKeyPath(data)
  if (masterKeyFile === undefined && !existsSync(file)) return undefined
  return readMasterKey(file)
}

export function readMasterKey(file: string): Buffer {
  const key = parseMasterKey(readKeyFile(file))
  if (key === undefined) throw new OperatorError(`the master key in ${file} is not 32 bytes in hex or base64`)
  return key
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`the master key ${file} cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

export const newMasterKey = (): Buffer => randomBytes(keyBytes)

/** Created once, at the first start. */
export function makeMasterKey(data: string): Buffer {
  const key = newMasterKey()
  writePrivateFile(masterKeyPath(data), keyText(key))
  return key
}

const keyText = (key: Buffer): string => `${key.toString('base64')}\n`

/** Beside the key of the data folder while it is rotated. */
export const nextMasterKeyPath = (data: string): string => `${masterKeyPath(data)}.next`

export const keepNextMasterKey = (data: string, key: Buffer): void =>
  writePrivateFile(nextMasterKeyPath(data), keyText(key))

export const findNextMasterKey = (data: string): Buffer | undefined =>
  existsSync(nextMasterKeyPath(data)) ? readMasterKey(nextMasterKeyPath(data)) : undefined

/** The next key takes the place of the former one. */
export function promoteNextMasterKey(data: string): void {
  renameSync(nextMasterKeyPath(data), masterKeyPath(data))
  syncFolderSync(dirname(masterKeyPath(data)))
}
