import { readBuiltInCatalogue } from '@wharf/elaborations/built-in-catalogue.ts'
import { ElaborationSet } from '@wharf/elaborations/elaboration-set.ts'
import { TextSearch } from '@wharf/elaborations/text-search.ts'
import { createServerProcess, temporaryFolder } from './bench-server.ts'
import { generateEntries, recordedTexts } from './elaboration-data.ts'
import { hostileLookups, slowestLookup } from './hostile-lookups.ts'
import { requestsPerCpuSecond } from './load.ts'
import { compare, countShortRounds, type Figure, reach } from './measure.ts'
import { startBytesServer, startMinimalServer } from './peers/peer-process.ts'
import { signed } from './sign-in.ts'

const path = '/v1/errorcode/elaborations'
const most = { unit: 'ms of CPU', atMost: true }

/** Explaining a text with few, many and hostile entries, and a code over HTTP. */
export async function explain(rounds: number): Promise<Figure[]> {
  const texts = recordedTexts()
  const own = readBuiltInCatalogue()
  const few = new TextSearch(new ElaborationSet(own.slice(0, 200)))
  const many = new TextSearch(new ElaborationSet([...own, ...generateEntries(texts, 10_000 - own.length)]))
  const log = texts.join('\n').slice(0, 16_384)
  const logs = Array.from({ length: 20 }, (_, index) => log.slice(index))
  return [
    await reach({ name: 'explain with 200 entries', aim: 0.3, ...most }, rounds, () => perText(few, texts)),
    await reach({ name: 'explain with 10,000 entries', aim: 5, ...most }, rounds, () => perText(many, texts)),
    await reach({ name: 'the same, a text of 16,384 characters', aim: 5, ...most }, rounds, () => perText(many, logs)),
    await worst(rounds),
    ...(await byCode(rounds)),
  ]
}

async function perText(search: TextSearch, texts: readonly string[]): Promise<number> {
  const repeats = Math.ceil(1000 / texts.length)
  for (const text of texts) search.explain(text)
  const before = process.threadCpuUsage()
  for (let repeat = 0; repeat < repeats; repeat++) for (const text of texts) search.explain(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / (repeats * texts.length)
}

/** No pattern and no text may delay the server: the searches run in threads, and this is what the main thread spends. */
async function worst(rounds: number): Promise<Figure> {
  await using ending = new AsyncDisposableStack()
  const lookups = hostileLookups()
  for (const { search } of lookups) ending.defer(() => search.close())
  // the first round starts the threads
  await slowestLookup(lookups)
  const name = 'the slowest single explain of hostile patterns and texts, on the main thread'
  return await reach({ name, aim: 50, ...most }, rounds, () => slowestLookup(lookups))
}

/**
 * A signed call that needs no database, against Fastify doing what every such call must, and against Fastify alone with
 * the same request and the same response. The required work alone takes half of the time: see the README.
 */
async function byCode(rounds: number): Promise<Figure[]> {
  await using ending = new AsyncDisposableStack()
  const wharf = createServerProcess(ending, temporaryFolder(ending))
  await wharf.start()
  const target = `${path}?code=JOB.1001`
  // as the load sends it, without compression
  const headers = { ...signed(wharf, path), 'accept-encoding': 'identity' }
  const answer = await fetch(`${wharf.bootstrap.url}${target}`, { headers })
  if (!answer.ok) throw new Error(`the response is ${answer.status}`)
  const { accessKeyId, accessKeySecret } = wharf.bootstrap
  const minimal = await startMinimalServer(
    accessKeyId,
    accessKeySecret,
    Buffer.from(await answer.clone().arrayBuffer()),
  )
  ending.defer(() => minimal.stop())
  const bare = await startBytesServer(answer)
  ending.defer(() => bare.stop())
  const load = (pid: number, url: string) => (amount?: number) =>
    requestsPerCpuSecond(pid, `${url}${target}`, signed(wharf, path), amount)
  const ours = load(wharf.pid, wharf.bootstrap.url)
  const minimum = load(minimal.pid, minimal.url)
  const theirs = load(bare.pid, bare.url)
  // once, for the compiler
  for (const one of [ours, theirs, minimum]) await one(30_000)
  const shortRoundCount = countShortRounds(rounds)
  const about = { name: 'signed elaboration by code', unit: 'requests per CPU second' }
  const required = { ...about, name: `${about.name}, the minimum` }
  const peer = 'bare Fastify, same bytes'
  const leastPeer = 'Fastify with the minimum that every signed call needs'
  return [
    await compare({ ...about, peer: leastPeer, aim: 0.9 }, shortRoundCount, ours, minimum),
    await compare({ ...about, peer }, shortRoundCount, ours, theirs),
    await compare({ ...required, peer }, shortRoundCount, minimum, theirs),
  ]
}
