import type { Question, ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { questionBytes, recordBytes } from '@wharf/announcer/dns/write-message.ts'
import type { InterfaceChoice } from '@wharf/announcer/multicast/links.ts'
import { MulticastPorts } from '@wharf/announcer/multicast/ports.ts'
import { serviceType } from '@wharf/announcer/service-type.ts'
import type { Log } from '@wharf/platform/log.ts'
import { inParts } from './message-parts.ts'
import { Sightings } from './sightings.ts'

const tickMs = 250
/** RFC 6762, 5.2: the first question waits a moment, each pause is twice as long as the one before. */
const firstDelayMs = { least: 20, most: 120 }
const firstPauseMs = 1000
const longestPauseMs = 5 * 60_000

/** Listens for hosts that announce themselves, and asks for them, on every link of this node. */
export class Browser {
  readonly sightings = new Sightings()
  readonly #ports: MulticastPorts
  /** When the question for all hosts is next put on a link, and how long to wait from then on. */
  readonly #questions = new Map<string, { dueAt: number; pauseMs: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor({ interfaces, log, port }: { interfaces: InterfaceChoice; log: Log; port?: number | undefined }) {
    this.#ports = new MulticastPorts({
      interfaces,
      message: (message, from) => {
        // RFC 6762, 6: an answer from any other port is none
        if (message.isResponse && from.isMulticast) this.sightings.hear(from.link.name, message, performance.now())
      },
      up: ({ name }) => this.#beginAsking(name),
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

  #beginAsking(name: string): void {
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
      this.#askForAll(link, now)
    }
    for (const [link, questions] of this.sightings.tick(now))
      for (const part of inParts(questions, (question: Question) => questionBytes(question).length))
        void this.#ports.send(link, { questions: part })
  }

  /** With what is known, as far as it fits: who stands there need not answer. */
  #askForAll(link: string, now: number): void {
    const known = this.sightings.present().flatMap((service): ResourceRecord[] => {
      const ttlSeconds = service.link === link ? service.knownSeconds(now) : undefined
      if (ttlSeconds === undefined) return []
      return [{ type: 'PTR', name: serviceType, target: service.name, ttlSeconds, flush: false }]
    })
    const [answers = []] = inParts(known, (record) => recordBytes(record).length)
    void this.#ports.send(link, { questions: [{ name: serviceType, type: 'PTR' }], answers })
  }
}
