// Sends calls, and reports their results: `node generator.ts ORDER`, where ORDER is a LoadOrder as JSON. A program of
// its own, so that the cost of the client is not part of the measurement.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@wharf/testkit/calls/client.ts'
import { type LoadCall, type LoadOrder, type LoadReport, loadCycle } from './calls.ts'
import { percentile } from './figures.ts'

const order = JSON.parse(process.argv[2] ?? '') as LoadOrder
const { url, connections, seconds, callsPerSecond } = order
const clients = { key: new Client(url, order.key), session: new Client(url, order.session) }
const { hostname, port, pathname } = new URL(url)
const prefix = pathname === '/' ? '' : pathname
const maxAnswerMs = 30_000
const shownErrors = 5

const latencies: number[] = []
const errors: string[] = []
let errorCount = 0
let calls = 0

const began = performance.now()
const endsAt = began + seconds * 1000

async function runConnection(index: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let made = ''
  const isOver = (due = performance.now()): boolean => due >= endsAt
  for (let step = 0; !isOver(dueAt(index, step)) || made !== ''; step++) {
    const due = dueAt(index, step)
    const call = loadCycle[step % loadCycle.length] as LoadCall
    // once the time is over, only what was made is still removed
    if (isOver(due) && call.method !== 'DELETE') continue
    if (due !== undefined) await delayUntil(due)
    try {
      const text = await send(agent, call, made, due)
      if (call.method === 'POST') made = (JSON.parse(text) as { inventory: { uuid: string } }).inventory.uuid
    } catch (error) {
      errorCount++
      if (errors.length < shownErrors) errors.push(`${call.method} ${call.path}: ${error}`)
      if (call.method === 'POST') step += loadCycle.length - 1
    }
    if (call.method === 'DELETE') made = ''
  }
  agent.destroy()
}

/**
 * With a rate every call has its time, whether the one before it has been answered or not. One that is late counts from
 * then, and is made even when the time of all is over: otherwise an answer that takes long would be one slow call, and
 * those that it kept waiting none.
 */
const dueAt = (index: number, step: number): number | undefined =>
  callsPerSecond === undefined ? undefined : began + ((index + step * connections) / callsPerSecond) * 1000

const delayUntil = (at: number): Promise<void> | undefined => {
  const ms = at - performance.now()
  return ms > 0 ? delay(ms) : undefined
}

function send(agent: Agent, { as, method, path, body }: LoadCall, made: string, due?: number): Promise<string> {
  const target = path.replace('{made}', made)
  const text = body === undefined ? undefined : JSON.stringify(body(++calls))
  const headers = {
    ...clients[as].authorization(method, target),
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const countsFrom = due ?? performance.now()
  return new Promise((resolve, reject) => {
    const call = request(
      { hostname, port, agent, method, path: prefix + target, headers, timeout: maxAnswerMs },
      (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          answer += chunk
        })
        response.on('end', () => {
          latencies.push(performance.now() - countsFrom)
          if (response.statusCode === 200) resolve(answer)
          else reject(new Error(`${response.statusCode} ${answer.slice(0, 300)}`))
        })
        response.on('error', reject)
      },
    )
    call.on('timeout', () => call.destroy(new Error(`no answer for ${maxAnswerMs} ms`)))
    call.on('error', reject)
    call.end(text)
  })
}

await Promise.all(Array.from({ length: connections }, (_, index) => runConnection(index)))
const report: LoadReport = {
  calls: latencies.length,
  errors,
  errorCount,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
  maxMs: percentile(latencies, 1),
}
console.log(JSON.stringify(report))
