import { linkTo } from '../../browser/route.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { type Kind, kindOf, type Subject, useMachines, useSubjects } from './subjects.ts'

interface Job {
  readonly operation?: string
  readonly subjectUuid?: string | null
}

export interface JobTitle {
  /** `Install nginx-1.2 on host-3`; the operation name where no title is defined. */
  readonly title: string
  /** The record of the job, while it exists. */
  readonly subject: { readonly name: string; readonly href: string } | undefined
}

export function useJobTitles(jobs: readonly Job[]): (job: Job) => JobTitle {
  const t: Readonly<Record<string, (name: string | undefined, place: string | undefined) => string>> =
    useMessages(messages)
  const of = (kind: Kind): string[] =>
    jobs.flatMap(({ operation = '', subjectUuid }) => (subjectUuid && kindOf(operation) === kind ? [subjectUuid] : []))
  const packages = useSubjects('packages', of('packages'))
  const clusters = useSubjects('clusters', of('clusters'))
  const endpoints = useSubjects('chat', of('chat'))
  const machines = useMachines(of('migration').length > 0)
  const storage = useSubjects('backup-storage', of('backup-storage'))
  const places = [...packages, ...machines].flatMap(({ hostUuid }) => hostUuid ?? [])
  const hosts = useSubjects('hosts', [...of('hosts'), ...places])
  const known: Record<Kind, readonly Subject[]> = {
    packages,
    clusters,
    hosts,
    chat: endpoints,
    'backup-storage': storage,
    migration: machines,
  }
  const named = (among: readonly Subject[], uuid: string | null | undefined) => among.find((one) => one.uuid === uuid)

  return ({ operation = '', subjectUuid }) => {
    const kind = kindOf(operation)
    const subject = kind && named(known[kind], subjectUuid)
    const place = named(hosts, subject?.hostUuid)
    const title = Object.hasOwn(t, operation) ? t[operation]?.(subject?.name, place?.name) : undefined
    const path = kind === 'migration' ? [kind] : [kind ?? '', subjectUuid ?? '']
    return { title: title ?? operation, subject: subject && { name: subject.name, href: linkTo(path) } }
  }
}
