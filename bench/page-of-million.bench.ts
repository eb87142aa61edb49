import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SoftwarePackageInventory } from '@wharf/contract'
import { migrate } from '@wharf/database/open.ts'
import { collection } from '@wharf/database/query.ts'
import { openSqlite } from '@wharf/database/sqlite.ts'
import { temporaryFolder } from './bench-server.ts'
import { fillHosts, fillPackages } from './data.ts'
import { compare, countShortRounds, type Figure } from './measure.ts'

const rows = 1_000_000
const pages = 2000
/** Each starts at another position, always with a full page. */
const inputs = Array.from({ length: pages }, (_, page) => ({
  q: ['status=Uploaded', `name>=package-${((page * 997) % (rows - 100)).toString(16).padStart(8, '0')}`],
  sort: '+name',
  limit: 50,
}))

/** A page of 50 of a million by conditions and order: the query language against its own statement. */
export async function pageOfMillion(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const file = join(temporaryFolder(cleanup), 'wharf.db')
  const database = openSqlite(file)
  cleanup.defer(() => database.close())
  await migrate(database)
  fillHosts(file, 1)
  fillPackages(file, rows)

  const packages = collection(SoftwarePackageInventory)
  const statements = inputs.map((input) => packages.statements('sqlite', input).page)
  const [sql = '', another] = new Set(statements.map((page) => page?.sql))
  if (another !== undefined) throw new Error('the pages are not by one statement')
  const values = statements.map((page) => page?.values as SQLInputValue[])
  const raw = new DatabaseSync(file, { readOnly: true })
  cleanup.defer(() => raw.close())
  // of the deadline that statements of the query language have
  raw.function('within_deadline', () => 1)
  // like the reader of the server, which maps no file
  raw.exec('pragma cache_size = -65536; pragma mmap_size = 0')
  const statement = raw.prepare(sql)
  const listing = raw.prepare(sql)
  listing.setReturnArrays(true)

  const ours = () =>
    perCpuSecond(async (page) => (await packages.query(database, inputs[page] ?? {})).inventories?.length)
  const objects = () => perCpuSecond((page) => statement.all(...(values[page] ?? [])).length)
  const lists = () => perCpuSecond((page) => listing.all(...(values[page] ?? [])).length)
  // for the compiler
  for (let round = 0; round < 10; round++) for (const work of [ours, objects, lists]) await work()
  const about = { name: 'page of 50 of 1,000,000 packages by q and sort', unit: 'pages per CPU second' }
  const peer = 'the same statement, bare driver'
  return [
    await compare({ ...about, peer: `${peer}, rows as bare lists`, aim: 0.95 }, countShortRounds(rounds), ours, lists),
    await compare({ ...about, peer }, countShortRounds(rounds), ours, objects),
  ]
}

async function perCpuSecond(lengthOf: (page: number) => Promise<number | undefined> | number): Promise<number> {
  const before = process.cpuUsage()
  for (let page = 0; page < pages; page++)
    if ((await lengthOf(page)) !== 50) throw new Error(`page ${page} does not have 50 packages`)
  const { user, system } = process.cpuUsage(before)
  return pages / ((user + system) / 1e6)
}
