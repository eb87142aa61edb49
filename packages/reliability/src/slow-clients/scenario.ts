import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { ServerProcess, serverEnvironment } from '@wharf/testkit'
import { percentile } from '../load/figures.ts'
import { settledDescriptors, usageOf } from '../process-usage.ts'

/** The modes in which slowhttptest (a Debian package) keeps a server waiting. */
export const slowModes = {
  /** Heads that never end. */
  headers: ['-H', '-u', '/healthz', '-i', '1', '-x', '24'],
  /** Bodies that never end, at an operation without sign-in. */
  body: ['-B', '-u', '/v1/accounts/login', '-t', 'PUT', '-f', 'application/json', '-i', '1', '-s', '8192', '-x', '10'],
  /** Answers that are hardly read: the longest one, requested repeatedly. */
  read: ['-X', '-u', '/openapi.json', '-n', '1', '-z', '32', '-w', '10', '-y', '20', '-k', '3'],
  /** Ranges that overlap, thousands in one head. */
  ranges: ['-R', '-u', '/openapi.json', '-t', 'GET', '-a', '1', '-b', '1500'],
} as const

export type SlowMode = keyof typeof slowModes

export interface SlowFigures {
  readonly mode: SlowMode
  /** Until the last of them was closed. */
  readonly seconds: number
  /** The maximum number of open descriptors of the server. */
  readonly maxDescriptors: number
  readonly probes: number
  /** Failed health probes. */
  readonly failures: readonly string[]
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const probeIntervalMs = 50
const maxAnswerMs = 10_000

export interface SlowLoad {
  readonly connections: number
  /** New connections per second. */
  readonly perSecond: number
  readonly seconds: number
}

/** Starts a server and counts its descriptors without clients. */
export async function startServer(t: TestContext) {
  const server = new ServerProcess({ ...(await serverEnvironment(t)), WHARF_LOG_LEVEL: 'error' })
  t.after(async () => void (await server.stop()))
  await server.start()
  const { origin: url } = new URL(server.bootstrap.url)
  return { server, url, pid: server.pid, before: await settledDescriptors(server.pid) }
}

/** Runs slow clients of one mode and probes the server's health meanwhile. */
export async function runWithSlowClients(
  { url, pid }: { url: string; pid: number },
  mode: SlowMode,
  load: SlowLoad,
): Promise<SlowFigures> {
  const latencies: number[] = []
  const failures: string[] = []
  const pending: Promise<void>[] = []
  let maxDescriptors = 0
  const began = performance.now()
  const probing = setInterval(() => {
    maxDescriptors = Math.max(maxDescriptors, usageOf(pid).descriptors)
    pending.push(
      probeHealth(`${url}/healthz`).then(
        (ms) => void latencies.push(ms),
        (error: Error) => void failures.push(error.message),
      ),
    )
  }, probeIntervalMs)
  try {
    await runSlowClients(url, mode, load)
  } finally {
    clearInterval(probing)
    await Promise.all(pending)
  }
  const probes = latencies.length + failures.length
  const seconds = (performance.now() - began) / 1000
  const [p90Ms = 0, p99Ms = 0, maxMs = 0] = [0.9, 0.99, 1].map((share) => percentile(latencies, share))
  return { mode, seconds, maxDescriptors, probes, failures, p90Ms, p99Ms, maxMs }
}

async function runSlowClients(url: string, mode: SlowMode, load: SlowLoad): Promise<void> {
  const { connections, perSecond, seconds } = load
  const args = slowModes[mode].map((word) => (word.startsWith('/') ? url + word : word))
  const size = ['-c', String(connections), '-r', String(perSecond), '-l', String(seconds)]
  const child = spawn('slowhttptest', [...args, ...size], { stdio: ['ignore', 'pipe', 'pipe'] })
  const killTimer = setTimeout(() => child.kill('SIGKILL'), (seconds + 30) * 1000)
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stdout)])
  clearTimeout(killTimer)
  if (code !== 0) throw new Error(`slowhttptest ended with ${code}: ${output.slice(-500)}`)
}

/** On a separate connection, like a load balancer; returns its milliseconds. */
function probeHealth(url: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const call = get(url, { agent: false, timeout: maxAnswerMs }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began)
        else reject(new Error(`it answered ${response.statusCode}`))
      })
    })
    call.on('timeout', () => call.destroy(new Error(`no answer for ${maxAnswerMs} ms`)))
    call.on('error', reject)
  })
}
