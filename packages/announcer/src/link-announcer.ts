import { askedFor, legacyAnswer, multicastAnswer } from './answers.ts'
import { isConflict } from './conflicts.ts'
import type { Message, ResourceRecord } from './dns/message.ts'
import type { Sender } from './multicast/ports.ts'
import { goodbyeOf, type HostRecords, type Names } from './records.ts'

/** RFC 6762, 8.1 and 8.3 */
const probes = 3
const probePauseMs = 250
const announcements = 2
const announcePauseMs = 1000
/** RFC 6762, 8.2: who meets another that asks for the same name at the same time. */
const deferMs = 1000
/** RFC 6762, 6: several may answer at once; and nothing is told to all more than once a second. */
const answerDelayMs = { least: 20, most: 120 }
const repeatMs = 1000

interface Parts {
  readonly names: Names
  readonly records: HostRecords
  readonly ownAddresses: ReadonlySet<string>
  send(message: Partial<Message>): Promise<void>
  /** Somebody else goes by this name. */
  taken(): void
}

/** One host on one link, from asking whether its names are free to the goodbye. */
export class LinkAnnouncer {
  readonly #parts: Parts
  readonly #wanted = new Set<ResourceRecord>()
  #isAnnounced = false
  #next: NodeJS.Timeout | undefined
  #answer: NodeJS.Timeout | undefined
  #lastToldAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(delayMs = Math.random() * probePauseMs): void {
    this.#isAnnounced = false
    this.#forgetPlans()
    this.#later(delayMs, () => this.#probe(probes))
  }

  stop(): void {
    this.#isAnnounced = false
    this.#forgetPlans()
  }

  async goodbye(): Promise<void> {
    const wasTold = this.#isAnnounced
    this.stop()
    if (wasTold) await this.#parts.send({ isResponse: true, answers: goodbyeOf(this.#parts.records) })
  }

  receive(message: Message, from: Sender): void {
    if (message.isResponse) this.#mindOthers(message, from)
    else if (this.#isAnnounced) this.#answerTo(message, from)
    else if (message.authorities.some((record) => isConflict(record, this.#parts)))
      this.start(deferMs * (0.5 + Math.random()))
  }

  #answerTo(message: Message, from: Sender): void {
    const asked = askedFor(message, this.#parts.records)
    if (asked.length === 0) return
    if (from.isMulticast) this.#tellSoon(asked)
    else from.reply(legacyAnswer(message, asked))
  }

  #mindOthers({ answers, additionals }: Message, { isMulticast }: Sender): void {
    if (!isMulticast || ![...answers, ...additionals].some((record) => isConflict(record, this.#parts))) return
    // RFC 6762, 9: a name that was ours is asked for anew; it is given up when it is defended
    if (this.#isAnnounced) this.start()
    else this.#parts.taken()
  }

  #probe(left: number): void {
    const { names, records, send } = this.#parts
    const questions = [names.host, names.instance].map((name) => ({ name, type: 'ANY' as const }))
    void send({ questions, authorities: records.unique.map((record) => ({ ...record, flush: false })) })
    this.#later(probePauseMs, () => (left > 1 ? this.#probe(left - 1) : this.#announce(announcements)))
  }

  #announce(left: number): void {
    this.#isAnnounced = true
    const { shared, unique } = this.#parts.records
    this.#tell([...shared, ...unique])
    if (left > 1) this.#later(announcePauseMs, () => this.#announce(left - 1))
  }

  #tellSoon(asked: readonly ResourceRecord[]): void {
    for (const record of asked) this.#wanted.add(record)
    if (this.#answer) return
    const { least, most } = answerDelayMs
    const isShared = asked.some(({ flush }) => !flush)
    const courtesyMs = isShared ? least + Math.random() * (most - least) : 0
    const waitMs = Math.max(courtesyMs, this.#lastToldAt + repeatMs - performance.now())
    this.#answer = setTimeout(() => this.#tell([...this.#wanted]), waitMs)
  }

  #tell(asked: readonly ResourceRecord[]): void {
    clearTimeout(this.#answer)
    this.#answer = undefined
    this.#wanted.clear()
    this.#lastToldAt = performance.now()
    void this.#parts.send(multicastAnswer(asked, this.#parts.records))
  }

  #later(ms: number, work: () => void): void {
    this.#next = setTimeout(work, ms)
  }

  #forgetPlans(): void {
    clearTimeout(this.#next)
    clearTimeout(this.#answer)
    this.#answer = undefined
    this.#wanted.clear()
  }
}
