import { type Message, nameKey, type Question, type ResourceRecord } from './dns/message.ts'
import type { HostRecords } from './records.ts'

/** The records that these questions ask for, without those that the asker says it knows (RFC 6762, 7.1). */
export function askedFor({ questions, answers: known }: Message, { shared, unique }: HostRecords): ResourceRecord[] {
  const isKnown = (record: ResourceRecord): boolean =>
    known.some((one) => isSame(one, record) && one.ttlSeconds >= record.ttlSeconds / 2)
  return [...shared, ...unique].filter((record) => questions.some((q) => asks(q, record)) && !isKnown(record))
}

const asks = ({ name, type }: Question, record: ResourceRecord): boolean =>
  (type === 'ANY' || type === record.type) && nameKey(name) === nameKey(record.name)

const isSame = (one: ResourceRecord, other: ResourceRecord): boolean =>
  one.type === 'PTR' &&
  other.type === 'PTR' &&
  nameKey(one.name) === nameKey(other.name) &&
  nameKey(one.target) === nameKey(other.target)

/** The answer as everybody is to hear it: what was asked for, and beside it what will be asked next. */
export function multicastAnswer(asked: readonly ResourceRecord[], records: HostRecords): Partial<Message> {
  const additionals = records.unique.filter((record) => !asked.includes(record))
  return { isResponse: true, answers: asked, additionals }
}

/** RFC 6762, 6.7: to somebody who speaks plain DNS, who wants the question back and keeps no answer for long. */
export function legacyAnswer({ id, questions }: Message, asked: readonly ResourceRecord[]): Partial<Message> {
  const answers = asked.map((record) => ({ ...record, flush: false, ttlSeconds: Math.min(record.ttlSeconds, 10) }))
  return { id, isResponse: true, questions, answers }
}
