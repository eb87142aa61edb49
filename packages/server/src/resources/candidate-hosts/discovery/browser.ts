import type { Question, ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { questionBytes, recordBytes } from '@wharf/announcer/dns/write-message.ts'
import type { InterfaceChoice } from '@wharf/announcer/multicast/links.ts'
import { MulticastPorts } from '@wharf/announcer/multicast/ports.ts'
import { serviceType } from '@wharf/announcer/service-type.ts'
import type { Log } from '@wharf/platform/log.ts'
import { Sightings } from './sightings.ts'

const tickMs = 250
/** RFC 6762, 5.2: the first query is delayed, and each pause is twice as long as the one before. */
const firstDelayMs = { least: 20, most: 120 }
const firstPauseMs = 1000
const longestPauseMs = 5 * 60_000

/** Fits into one packet of a common network, besides the headers and a question. */
const maxPartBytes = 1200

/** Receives announcements of hosts, and queries for them, on every link of this node. */
export class Browser {
  readonly sightings = new Sightings()
  readonly #ports: MulticastPorts
  /** By link: when the next query for all hosts is due, and the pause after it. */
  readonly #questions = new Map<string, { dueAt: number; pauseMs: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor({ interfaces, log, port }: { interfaces: InterfaceChoice; log: Log; port?: number | undefined }) {
    this.#ports = new MulticastPorts({
      interfaces,
      message: (message, from) => {
        // RFC 6762, 6: a response from another port is ignored
        if (message.isResponse && from.isMulticast) this.sightings.receive(from.link.name, message, performance.now())
      },
      up: ({ name }) => this.#startQueries(name),
      down: (name) => {
        this.#questions.delete(name)
      },
      trouble: (name, error) => log.info({ err: error, interface: name }, 'hosts cannot be discovered on an interface'),
      ...(port === undefined ? {} : { port }),
    })
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#tick(), tickMs)
    await this.#ports.start()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#ports.close()
  }

  #startQueries(name: string): void {
    const { least, most } = firstDelayMs
    const delayMs = least + Math.random() * (most - least)
    this.#questions.set(name, { dueAt: performance.now() + delayMs, pauseMs: firstPauseMs })
    setTimeout(() => this.#tick(), delayMs + 1).unref()
  }

  #tick(): void {
    const now = performance.now()
    for (const [link, state] of this.#questions) {
      if (now < state.dueAt) continue
      this.#questions.set(link, { dueAt: now + state.pauseMs, pauseMs: Math.min(2 * state.pauseMs, longestPauseMs) })
      this.#queryAll(link, now)
    }
    for (const [link, questions] of this.sightings.tick(now))
      for (const part of splitByBytes(questions, (question: Question) => questionBytes(question).length))
        void this.#ports.send(link, { questions: part })
  }

  /** With the known answers that fit, which need not be repeated. */
  #queryAll(link: string, now: number): void {
    const known = this.sightings.listPresent().flatMap((service): ResourceRecord[] => {
      const ttlSeconds = service.link === link ? service.knownSeconds(now) : undefined
      if (ttlSeconds === undefined) return []
      return [{ type: 'PTR', name: serviceType, target: service.name, ttlSeconds, flush: false }]
    })
    const [answers = []] = splitByBytes(known, (record) => recordBytes(record).length)
    void this.#ports.send(link, { questions: [{ name: serviceType, type: 'PTR' }], answers })
  }
}

/** Splits a list so that each part fits into one message. */
function splitByBytes<T>(items: readonly T[], bytesOf: (item: T) => number): T[][] {
  const parts: T[][] = []
  let left = 0
  for (const item of items) {
    const bytes = bytesOf(item)
    if (parts.length === 0 || bytes > left) {
      parts.push([])
      left = maxPartBytes
    }
    parts.at(-1)?.push(item)
    left -= bytes
  }
  return parts
}
