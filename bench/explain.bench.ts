import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ElaborationSet } from '@wharf/server/elaborations/elaboration-set.ts'
import { readOwnCatalogue } from '@wharf/server/elaborations/own-catalogue.ts'
import { madeEntries, recordedTexts } from './elaboration-data.ts'
import { requestsPerCpuSecond } from './load.ts'
import { compare, type Figure, reach } from './measure.ts'
import { startProgram } from './processes.ts'

const path = '/v1/errorcode/elaborations'
const unit = 'ms of CPU'

/** Explaining a text with few and with many entries, and looking a code up over HTTP. */
export async function explain(rounds: number): Promise<Figure[]> {
  const texts = recordedTexts()
  const own = readOwnCatalogue()
  const few = new ElaborationSet(own.slice(0, 200))
  const many = new ElaborationSet([...own, ...madeEntries(texts, 10_000 - own.length)])
  const log = texts.join('\n').slice(0, 16_384)
  return [
    await reach({ name: 'explain with 200 entries', unit, aim: 0.3, atMost: true }, rounds, () => perText(few, texts)),
    await reach({ name: 'explain with 10,000 entries', unit, aim: 5, atMost: true }, rounds, () =>
      perText(many, texts),
    ),
    await reach({ name: 'the same, a text of 16,384 characters', unit, aim: 5, atMost: true }, rounds, () =>
      perText(
        many,
        Array.from({ length: 20 }, (_, index) => log.slice(index)),
      ),
    ),
    await byCode(rounds),
  ]
}

async function perText(set: ElaborationSet, texts: readonly string[]): Promise<number> {
  const repeats = Math.ceil(1000 / texts.length)
  for (const text of texts) set.explain(text)
  const before = process.threadCpuUsage()
  for (let repeat = 0; repeat < repeats; repeat++) for (const text of texts) set.explain(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / (repeats * texts.length)
}

/** A signed call that needs no database, against Fastify sending the same bytes. */
async function byCode(rounds: number): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const wharf = await startProgram('wharf-server.ts', [], {
    WHARF_DATA: folder,
    WHARF_PORT: '0',
    WHARF_DISCOVERY: 'none',
  })
  const { accessKeyId, accessKeySecret } = JSON.parse(readFileSync(join(folder, 'bootstrap.json'), 'utf8'))
  const date = new Date().toUTCString()
  const signature = createHmac('sha1', accessKeySecret).update(`GET\n${date}\n${path}`).digest('base64')
  const signed = { date, authorization: `Service ${accessKeyId}:${signature}` }
  const url = `http://127.0.0.1:${wharf.port}${path}?code=JOB.1001`
  const body = Buffer.from(await (await fetch(url, { headers: signed })).arrayBuffer())
  const bare = await startProgram('bytes-server.ts', [body.toString('base64')])
  const bareUrl = `http://127.0.0.1:${bare.port}/`
  try {
    // once for the compiler's sake
    await requestsPerCpuSecond(wharf.pid, url, signed, 30_000)
    await requestsPerCpuSecond(bare.pid, bareUrl, {}, 30_000)
    const about = { name: 'signed elaboration by code', unit: 'requests per CPU second', aim: 0.6 }
    return await compare(
      { ...about, peer: 'bare Fastify, same bytes' },
      rounds,
      () => requestsPerCpuSecond(wharf.pid, url, signed),
      () => requestsPerCpuSecond(bare.pid, bareUrl, {}),
    )
  } finally {
    await wharf.stop()
    await bare.stop()
    rmSync(folder, { recursive: true })
  }
}
