import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from './private-file.ts'
import type { Secret } from './secret.ts'

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

/** From the environment, from a file of the operator's, or from the data folder, where the first start makes it. */
export function readMasterKey({ data, masterKey, masterKeyFile }: Source): Buffer {
  const file = masterKeyFile ?? join(data, 'master.key')
  if (masterKey === undefined && masterKeyFile === undefined && !existsSync(file))
    writePrivateFile(file, `${randomBytes(keyBytes).toString('base64')}\n`)
  const key = parseMasterKey(masterKey?.reveal() ?? readFileSync(file, 'utf8'))
  if (key === undefined) throw new Error(`the master key in ${file} is not 32 bytes in hex or base64`)
  return key
}
