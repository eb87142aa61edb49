import { useMessages } from '../../i18n/use-messages.ts'
import { type Job, type JobTitle, jobTitle, type Subject } from './job-title.ts'
import { messages } from './messages.ts'
import { type Kind, kindOf } from './record-kind.ts'
import { useMachines, useSubjects } from './subjects.ts'

export function useJobTitles(jobs: readonly Job[]): (job: Job) => JobTitle {
  const t = useMessages(messages)
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
  return (job) => jobTitle(job, records, t)
}
