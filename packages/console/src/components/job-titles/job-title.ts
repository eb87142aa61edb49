import { linkTo } from '../../browser/route.ts'
import { type Kind, kindOf } from './record-kind.ts'
import type { Title } from './titles.ts'

/** The record that a job works on. */
export interface Subject {
  readonly uuid: string
  readonly name: string
  readonly hostUuid?: string | null
}

export interface Job {
  readonly operation?: string
  readonly subjectUuid?: string | null
}

export interface JobTitle {
  /** `Install nginx-1.2 on host-3`; the operation name where no title is defined. */
  readonly title: string
  /** The record of the job, while it exists. */
  readonly subject: { readonly name: string; readonly href: string } | undefined
}

export function jobTitle(
  { operation = '', subjectUuid }: Job,
  records: Readonly<Record<Kind, readonly Subject[]>>,
  titles: Readonly<Record<string, Title>>,
): JobTitle {
  const kind = kindOf(operation)
  const subject = kind && records[kind].find(({ uuid }) => uuid === subjectUuid)
  const host = records.hosts.find(({ uuid }) => uuid === subject?.hostUuid)
  const title = Object.hasOwn(titles, operation) ? titles[operation]?.(subject?.name, host?.name) : undefined
  // virtual machines have no page of their own
  const path = kind === 'migration' ? [kind] : [kind ?? '', subjectUuid ?? '']
  return { title: title ?? operation, subject: subject && { name: subject.name, href: linkTo(path) } }
}
