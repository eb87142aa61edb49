import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migratedSqliteDatabase, testEngine } from '../database/database.ts'

/** ssh-keygen takes longer than the rest of a start: the servers of this process share the SSH key of the first. */
const serverKey = new Map<string, Buffer>()
const keyFolder = (data: string): string => join(data, 'ssh')

export function keepServerKey(data: string): void {
  const folder = keyFolder(data)
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    serverKey.set(name, readFileSync(join(folder, name)))
}

function seedServerKey(data: string): void {
  if (serverKey.size === 0) return
  mkdirSync(keyFolder(data), { mode: 0o700 })
  for (const [name, text] of serverKey) writeFileSync(join(keyFolder(data), name), text, { mode: 0o600 })
}

/** Creates a data folder with the parts that are slow to create. */
export async function seedData(data: string): Promise<void> {
  const tables = testEngine === 'sqlite' ? await migratedSqliteDatabase() : undefined
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (tables !== undefined) writeFileSync(join(data, 'wharf.db'), tables, { mode: 0o600 })
  seedServerKey(data)
}
