import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { HostInventory } from '@wharf/contract'
import { migrate } from '@wharf/server/database/open.ts'
import { collection } from '@wharf/server/database/query.ts'
import { openSqlite } from '@wharf/server/database/sqlite.ts'
import { fillHosts } from './data.ts'
import { compare, type Figure } from './measure.ts'

const rows = 1_000_000
const pages = 2000
const input = (page: number) => ({
  q: ['state=Enabled', `name>=host-${(page * 997).toString(16).padStart(8, '0')}`],
  sort: '+name',
  limit: 50,
})

/** A page of 50 out of a million, by conditions and in order: the query language against the statement it makes. */
export async function pageOfMillion(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const file = join(folder, 'wharf.db')
  const database = openSqlite(file)
  await migrate(database)
  fillHosts(file, rows)
  const hosts = collection({ table: 'hosts', inventory: HostInventory })
  const raw = new DatabaseSync(file, { readOnly: true })
  raw.exec('pragma cache_size = -65536; pragma mmap_size = 1073741824')
  const statement = raw.prepare(hosts.statements('sqlite', input(0)).page?.sql ?? '')

  const perCpuSecond = async (work: (page: number) => Promise<unknown> | unknown): Promise<number> => {
    const before = process.cpuUsage()
    for (let page = 0; page < pages; page++) await work(page)
    const { user, system } = process.cpuUsage(before)
    return pages / ((user + system) / 1e6)
  }
  const ours = () => perCpuSecond((page) => hosts.query(database, input(page)))
  const bare = () =>
    perCpuSecond((page) => statement.all('Enabled', `host-${(page * 997).toString(16).padStart(8, '0')}`, 50, 0))
  try {
    await ours()
    await bare()
    const about = { unit: 'pages per CPU second', peer: 'the same statement, bare driver', aim: 0.6 }
    return [await compare({ name: 'page of 50 of 1,000,000 by q and sort', ...about }, rounds, ours, bare)]
  } finally {
    raw.close()
    await database.close()
    rmSync(folder, { recursive: true })
  }
}
