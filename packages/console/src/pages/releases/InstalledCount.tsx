import Link from '@cloudscape-design/components/link'
import { querySoftwarePackage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { installedOf } from './installed-packages.ts'
import { messages } from './messages.ts'

/** On how many hosts a release is installed; undefined while loading. */
export const useInstalledCount = (releaseUuid: string): number | undefined =>
  useApiQuery(querySoftwarePackage, { q: installedOf(releaseUuid), count: true }).data?.total

export function InstalledCount({ releaseUuid }: { releaseUuid: string }) {
  const t = useMessages(messages)
  const format = useFormat()
  const count = useInstalledCount(releaseUuid)
  if (count === undefined) return <>…</>
  if (count === 0) return <>{t.noHost}</>
  return <Link href={linkTo(['packages'], { q: `releaseUuid=${releaseUuid}` })}>{t.hosts(format.number(count))}</Link>
}
