import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { ServerProcess, serverEnvironment } from '@wharf/testkit'

/**
 * The memory of a server while its database grows: SECONDS=900 node bench/soak.ts. Prints a line per
 * interval: the heap after a collection, the memory outside of it, and the resident memory of files.
 */
const seconds = Number(process.env.SECONDS ?? 60)
const intervals = Number(process.env.INTERVALS ?? 6)
const callers = 8
/** Existing records, read at random. */
const filled = Number(process.env.FILLED ?? 100_000)

const cleanups: (() => Promise<void>)[] = []
const environment = await serverEnvironment({ after: (work) => void cleanups.unshift(work) })
const server = new ServerProcess({ ...environment, NODE_OPTIONS: '--inspect=127.0.0.1:0', WHARF_LOG_LEVEL: 'warn' })
cleanups.unshift(async () => void (await server.stop()))

const MiB = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
const kilobytes = (file: string, name: string): number =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  ) * 1024

/** Of the files of the database, what is mapped and in memory. */
function mappedDatabase(pid: number): number {
  let sum = 0
  let isOfDatabase = false
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isOfDatabase = line.includes('/wharf.db')
    const [, rss] = /^Rss:\s+(\d+) kB$/.exec(line) ?? []
    if (isOfDatabase && rss !== undefined) sum += Number(rss) * 1024
  }
  return sum
}

async function memoryAfterGc(): Promise<NodeJS.MemoryUsage> {
  const socket = new WebSocket(/ws:\/\/\S+/.exec(server.stderr)?.[0] ?? '')
  await once(socket, 'open')
  const sendCommand = async (
    id: number,
    method: string,
    params = {},
  ): Promise<{ result: { result?: { value: string } } }> => {
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }]
      const reply = JSON.parse(data)
      if (reply.id === id) return reply
    }
  }
  await sendCommand(1, 'HeapProfiler.collectGarbage')
  const { result } = await sendCommand(2, 'Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' })
  socket.close()
  return JSON.parse(result.result?.value ?? '{}')
}

function fill(): void {
  const database = new DatabaseSync(join(environment.WHARF_DATA ?? '', 'wharf.db'))
  database.exec(`with recursive "n"("i") as (select 1 union all select "i" + 1 from "n" where "i" < ${filled})
    insert into "tags" ("uuid", "name", "color", "createDate", "lastOpDate")
    select printf('%032x', "i"), printf('tag %0200d', "i"), null, "i", "i" from "n"`)
  database.close()
}

const uuidOf = (n: number): string => n.toString(16).padStart(32, '0')

try {
  fill()
  await server.start()
  const { admin, pid } = server
  let created = 0
  let isOver = false
  const call = async (): Promise<void> => {
    while (!isOver) {
      await admin.post('/v1/tags', { params: { name: `tag ${created++} ${'x'.repeat(60)}` } })
      for (let n = 0; n < 10; n++) await admin.get(`/v1/tags/${uuidOf(1 + Math.floor(Math.random() * filled))}`)
    }
  }
  process.stdout.write('second  records  database  heap  external  resident  anonymous  files  mapped database (MiB)\n')
  const calling = Array.from({ length: callers }, call)
  for (let n = 0; n <= intervals; n++) {
    const { heapUsed, external } = await memoryAfterGc()
    const status = `/proc/${pid}/status`
    const database = readFileSync(`${environment.WHARF_DATA}/wharf.db`).length
    const sizes = [
      ...[database, heapUsed, external, kilobytes(status, 'VmRSS'), kilobytes(status, 'RssAnon')],
      ...[kilobytes(status, 'RssFile'), mappedDatabase(pid)],
    ]
    process.stdout.write(`${Math.round((n * seconds) / intervals)}  ${created}  ${sizes.map(MiB).join('  ')}\n`)
    if (n < intervals) await delay((seconds * 1000) / intervals)
  }
  isOver = true
  await Promise.all(calling)
} finally {
  for (const work of cleanups) await work()
}
