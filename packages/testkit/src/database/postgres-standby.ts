import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Files of the running server that would prevent the copy from starting. */
const filesOfPrimary = ['postmaster.pid', 'postmaster.opts']

/** Copies the files of a running server as a base backup does, and configures the copy as its standby. */
export async function copyRunning(
  primary: { readonly url: string; readonly data: string },
  data: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('copy', fast => true)`)
    cpSync(primary.data, data, { recursive: true, verbatimSymlinks: true })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  for (const name of filesOfPrimary) rmSync(join(data, name), { recursive: true, force: true })
  const { hostname, port, username, password } = new URL(primary.url)
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`
  writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
  writeFileSync(join(data, 'standby.signal'), '')
}
