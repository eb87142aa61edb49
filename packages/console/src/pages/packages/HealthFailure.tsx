import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useRecordedError } from '../../components/use-recorded-error.ts'
import { useNewestJobs } from '../../data/use-newest-jobs.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'

/** Why a package is Unhealthy, unless the failure of its newest job is shown, which is the verification. */
export function HealthFailure({ record: { uuid, health, healthError } }: { record: PackageRecord }) {
  const t = useMessages(messages)
  const { jobs } = useNewestJobs(uuid, 1, { enabled: health === 'Unhealthy' })
  const isShown = health === 'Unhealthy' && jobs !== undefined && jobs[0]?.state !== 'Failed'
  const [, code, details] = /^(\S+) (.*)$/s.exec(healthError ?? '') ?? []
  const error = useRecordedError(isShown ? code : undefined, details)
  return error ? <ErrorAlert error={error} title={t.unhealthy} /> : null
}
