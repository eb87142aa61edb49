import { type Message, nameKey, type Question, type ResourceRecord } from './dns/message.ts'
import type { HostRecords } from './records.ts'

/** The records that match the questions, without the querier's known answers (RFC 6762, 7.1). */
export function matchingRecords(
  { questions, answers: known }: Message,
  { shared, unique }: HostRecords,
): ResourceRecord[] {
  const isKnown = (record: ResourceRecord): boolean =>
    known.some((answer) => isSamePointer(answer, record) && answer.ttlSeconds >= record.ttlSeconds / 2)
  return [...shared, ...unique].filter(
    (record) => questions.some((question) => matches(question, record)) && !isKnown(record),
  )
}

const matches = ({ name, type }: Question, record: ResourceRecord): boolean =>
  (type === 'ANY' || type === record.type) && nameKey(name) === nameKey(record.name)

const isSamePointer = (one: ResourceRecord, other: ResourceRecord): boolean =>
  one.type === 'PTR' &&
  other.type === 'PTR' &&
  nameKey(one.name) === nameKey(other.name) &&
  nameKey(one.target) === nameKey(other.target)

/** The multicast response; the additional records save the querier a second query. */
export function multicastResponse(answers: readonly ResourceRecord[], records: HostRecords): Partial<Message> {
  const additionals = records.unique.filter((record) => !answers.includes(record))
  return { isResponse: true, answers, additionals }
}

/** RFC 6762, 6.7: a unicast response repeats the question and has short TTLs. */
export function legacyResponse({ id, questions }: Message, matching: readonly ResourceRecord[]): Partial<Message> {
  const answers = matching.map((record) => ({ ...record, flush: false, ttlSeconds: Math.min(record.ttlSeconds, 10) }))
  return { id, isResponse: true, questions, answers }
}
