import { linkTo } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { type Kind, kindOf } from './record-kind.ts'
import { type Subject, useMachines, useSubjects } from './subjects.ts'

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
  const t: Readonly<Record<string, (name: string | undefined, host: string | undefined) => string>> =
    useMessages(messages)
  const uuidsOf = (kind: Kind): string[] =>
    jobs.flatMap(({ operation = '', subjectUuid }) => (subjectUuid && kindOf(operation) === kind ? [subjectUuid] : []))
  const packages = useSubjects('packages', uuidsOf('packages'))
  const clusters = useSubjects('clusters', uuidsOf('clusters'))
  const endpoints = useSubjects('chat', uuidsOf('chat'))
  const machines = useMachines(uuidsOf('migration').length > 0)
  const storage = useSubjects('backup-storage', uuidsOf('backup-storage'))
  const hostUuids = [...packages, ...machines].flatMap(({ hostUuid }) => hostUuid ?? [])
  const hosts = useSubjects('hosts', [...uuidsOf('hosts'), ...hostUuids])
  const records: Record<Kind, readonly Subject[]> = {
    packages,
    clusters,
    hosts,
    chat: endpoints,
    'backup-storage': storage,
    migration: machines,
  }
  const findByUuid = (among: readonly Subject[], uuid: string | null | undefined) =>
    among.find((one) => one.uuid === uuid)

  return ({ operation = '', subjectUuid }) => {
    const kind = kindOf(operation)
    const subject = kind && findByUuid(records[kind], subjectUuid)
    const host = findByUuid(hosts, subject?.hostUuid)
    const title = Object.hasOwn(t, operation) ? t[operation]?.(subject?.name, host?.name) : undefined
    const path = kind === 'migration' ? [kind] : [kind ?? '', subjectUuid ?? '']
    return { title: title ?? operation, subject: subject && { name: subject.name, href: linkTo(path) } }
  }
}
