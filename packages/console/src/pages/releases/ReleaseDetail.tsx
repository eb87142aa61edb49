import { createRollout, deleteRelease, queryRelease, retireRelease } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { DetailPage } from '../../components/DetailPage.tsx'
import type { RecordAction } from '../../components/RecordActions.tsx'
import { UserTags } from '../../components/user-tags/UserTags.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { useInstalledCount } from './InstalledCount.tsx'
import { InstalledHosts } from './InstalledHosts.tsx'
import { messages } from './messages.ts'
import { OtherVersions } from './OtherVersions.tsx'
import { ReleaseFacts } from './ReleaseFacts.tsx'
import type { ReleaseRecord } from './release-record.ts'

export function ReleaseDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { releases } = useWharf()
  const query = useApiQuery(queryRelease, { q: [`uuid=${uuid}`] })
  const installed = useInstalledCount(uuid) ?? 0
  const actions = ({ name = '', version = '', state }: Partial<ReleaseRecord>): RecordAction[] => [
    {
      label: t.rollOut,
      isPrimary: true,
      operation: createRollout,
      disabledReason: state === 'Retired' ? t.isRetired : undefined,
      href: linkTo(['rollouts', 'create'], { release: uuid }),
    },
    {
      label: t.retire,
      operation: retireRelease,
      disabledReason: state === 'Retired' ? t.isRetired : undefined,
      call: { operation: retireRelease, input: { uuid } },
      confirm: { title: t.retireTitle(`${name}@${version}`), consequences: t.retireConsequences },
      run: () => releases.retire(uuid),
    },
    {
      label: t.delete,
      operation: deleteRelease,
      disabledReason: installed > 0 ? t.isInstalled(installed) : undefined,
      call: { operation: deleteRelease, input: { uuid } },
      confirm: { title: t.deleteTitle(`${name}@${version}`), consequences: t.deleteConsequences },
      run: async () => {
        await releases.delete(uuid, {})
        navigate(linkTo(['releases']))
      },
    },
  ]
  return (
    <DetailPage
      query={query}
      notFound={t.notFound}
      list={{ path: ['releases'], label: t.toList }}
      title={({ name, version }) => `${name} ${version}`}
      description={({ description }) => description}
      actions={actions}
    >
      {(record) => (
        <>
          <ReleaseFacts record={record as ReleaseRecord} />
          <InstalledHosts releaseUuid={uuid} />
          <OtherVersions release={record as ReleaseRecord} />
          <UserTags resourceUuid={uuid} resourceType="Release" list={['releases']} />
        </>
      )}
    </DetailPage>
  )
}
