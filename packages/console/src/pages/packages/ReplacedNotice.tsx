import Alert from '@cloudscape-design/components/alert'
import Link from '@cloudscape-design/components/link'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf, upgradeSoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useNewestJobs } from '../../data/use-newest-jobs.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'

const replacing = ['UpgradeSoftwarePackage', 'RollBackSoftwarePackage']

/** Every version is a record of its own: after an upgrade or a rollback, this one leads to the version that replaced it. */
export function ReplacedNotice({ record: { uuid, status } }: { record: PackageRecord }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [job] = useNewestJobs(uuid).jobs ?? []
  const isReplaced = status === 'Uploaded' && job?.state === 'Succeeded' && replacing.includes(job.operation ?? '')
  const { data } = useQuery({
    queryKey: ['jobs', 'answer', job?.uuid],
    queryFn: () => wharf.job<AnswerOf<typeof upgradeSoftwarePackage>>(job?.uuid ?? '').wait(),
    enabled: isReplaced,
  })
  const current = isReplaced ? data?.inventory : undefined
  if (current === undefined || current.uuid === uuid) return null
  return (
    <Alert type="info">
      {t.replacedBy} <Link href={linkTo(['packages', current.uuid])}>{current.name}</Link>
      {current.version ? ` (${current.version})` : ''}
    </Alert>
  )
}
