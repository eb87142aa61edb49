import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { HostInventory } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { migrate } from '@wharf/database/open.ts'
import { openPostgres } from '@wharf/database/postgres.ts'
import { collection } from '@wharf/database/query.ts'
import { openSqlite } from '@wharf/database/sqlite.ts'
import { startPostgres } from '@wharf/testkit'
import { Client } from 'pg'
import { temporaryFolder } from './bench-server.ts'
import { fillHosts } from './data.ts'
import { compare, type Figure } from './measure.ts'

const hostCount = Number(process.env.HOSTS ?? 1_000_000)
const pages = 1000
const racks = Math.floor(hostCount / 100)
/** By a label with few values and by one with many: a tenth of the hosts or 100 of them have the value. */
const inputs = Array.from({ length: pages }, (_, page) => ({
  q: [page % 2 === 0 ? `labels.zone=z${page % 10}` : `labels.rack=r${(page * 7) % racks}`],
  limit: 50,
}))

/** Five labels of a host by its number, as SQL. */
const labelsOf = (number: string): [label: string, value: string][] => [
  ['zone', `'z' || (${number} % 10)`],
  ['role', `'role-' || (${number} % 5)`],
  ['env', `case when ${number} % 3 = 0 then 'test' else 'production' end`],
  ['rack', `'r' || (${number} % ${racks})`],
  ['serial', `'SN' || ${number}`],
]

/** `jsonObject` is the function of the engine. The index is created at the end, which takes a fraction of the time. */
const fillLabels = (number: string, jsonObject: string): string[] => [
  'drop index "hostLabelsByValue"',
  ...labelsOf(number).map(
    ([label, value]) =>
      `insert into "hostLabels" ("hostUuid", "label", "labelValue", "hostCreateDate")
       select "uuid", '${label}', ${value}, "createDate" from "hosts" order by "uuid"`,
  ),
  `update "hosts" set "labels" = ${jsonObject}(${labelsOf(number).map(([label, value]) => `'${label}', ${value}`)})`,
  'create index "hostLabelsByValue" on "hostLabels" ("label", "labelValue", "hostCreateDate", "hostUuid")',
]

type Peer = (sql: string, values: unknown[]) => Promise<unknown[]> | unknown[]

/** A page of 50 of a million hosts with five labels each, by one label: the query language against its own statement. */
export async function pageByLabel(rounds: number): Promise<Figure[]> {
  return [await onSqlite(rounds), await onPostgres(rounds)]
}

async function onSqlite(rounds: number): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack()
  const file = join(temporaryFolder(cleanup), 'wharf.db')
  const database = openSqlite(file)
  cleanup.defer(() => database.close())
  await migrate(database)
  fillHosts(file, hostCount)
  const raw = new DatabaseSync(file)
  cleanup.defer(() => raw.close())
  raw.exec('pragma synchronous = off; pragma cache_size = -262144')
  for (const sql of fillLabels('"hosts"."rowid"', 'json_object')) raw.exec(sql)
  // of the deadline that statements of the query language have
  raw.function('within_deadline', () => 1)
  // like the reader of the server, which maps no file
  raw.exec('pragma cache_size = -65536; pragma mmap_size = 0')
  const prepared = new Map<string, ReturnType<typeof raw.prepare>>()
  const peer: Peer = (sql, values) => {
    const statement = prepared.get(sql) ?? raw.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(...(values as SQLInputValue[]))
  }
  return await measure(database, peer, rounds, { unit: 'pages per CPU second', rate: perCpuSecond })
}

async function onPostgres(rounds: number): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack()
  const postgres = await startPostgres()
  cleanup.defer(() => postgres.stop())
  const url = await postgres.createDatabase()
  const database = openPostgres(url)
  cleanup.defer(() => database.close())
  await migrate(database)
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanup.defer(() => client.end())
  await client.query(
    `insert into "hosts" ("uuid", "name", "driver", "address", "state", "status", "totalCapacity", "availableCapacity", "createDate", "lastOpDate")
     select md5('host ' || n), 'host-' || n, 'local', '127.0.0.1', 'Enabled', 'Connected', 0, 0, n * 1000, n * 1000
     from generate_series(0, ${hostCount - 1}) as n`,
  )
  for (const sql of fillLabels('("createDate" / 1000)', 'json_build_object')) await client.query(sql)
  await client.query('vacuum analyze')
  const peer: Peer = async (text, values) => (await client.query(text, values)).rows
  return await measure(database, peer, rounds, { unit: 'pages per second', rate: perSecond })
}

interface Rate {
  readonly unit: string
  readonly rate: (lengthOf: (page: number) => Promise<number | undefined> | number) => Promise<number>
}

async function measure(database: Database, peer: Peer, rounds: number, { unit, rate }: Rate): Promise<Figure> {
  const hosts = collection(HostInventory)
  const statements = inputs.map((input) => hosts.statements(database.engine, input).page)
  const ours = () => rate(async (page) => (await hosts.query(database, inputs[page] ?? {})).inventories?.length)
  const theirs = () =>
    rate(async (page) => (await peer(statements[page]?.sql ?? '', statements[page]?.values ?? [])).length)
  for (const work of [ours, theirs]) await work()
  const engine = database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const name = `page of 50 of ${hostCount.toLocaleString('en')} hosts by label, ${engine}`
  return compare({ name, unit, peer: 'the same statement, bare driver', aim: 0.6 }, rounds, ours, theirs)
}

type LengthOf = Parameters<Rate['rate']>[0]

async function readAll(lengthOf: LengthOf): Promise<void> {
  for (let page = 0; page < pages; page++)
    if ((await lengthOf(page)) !== 50) throw new Error(`page ${page} does not have 50 hosts`)
}

async function perCpuSecond(lengthOf: LengthOf): Promise<number> {
  const before = process.cpuUsage()
  await readAll(lengthOf)
  const { user, system } = process.cpuUsage(before)
  return pages / ((user + system) / 1e6)
}

async function perSecond(lengthOf: LengthOf): Promise<number> {
  const began = performance.now()
  await readAll(lengthOf)
  return pages / ((performance.now() - began) / 1000)
}
