import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import { queryChatAppEndpoint, queryClusterPlugin } from '@wharf/contract'
import { linkTo, usePath } from '../browser/route.ts'
import { useApiQuery } from '../data/api-query.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { type BreadcrumbLevel, breadcrumbLevels, type Subpage } from './breadcrumb-levels.ts'
import { messages } from './messages.ts'
import type { Place } from './use-page-title.ts'

export function Breadcrumbs({ page, inside }: Place) {
  const t = useMessages(messages)
  const path = usePath()
  const levels = breadcrumbLevels(path)
  const recordName = useRecordName(levels.find(({ kind }) => kind === 'record')?.path)
  if (inside === undefined) return null
  const textOf = (level: BreadcrumbLevel): string => {
    if (level.kind === 'page') return page
    return level.kind === 'subpage' ? t.subpages[level.path.join('/') as Subpage] : recordName
  }
  return (
    <BreadcrumbGroup
      ariaLabel={t.breadcrumbs}
      items={[
        ...levels.map((level) => ({ text: textOf(level), href: linkTo(level.path) })),
        { text: inside, href: linkTo(path) },
      ]}
    />
  )
}

/** The name of a record that has a page below it; its uuid while the name is loading. */
function useRecordName([page, uuid = '']: readonly string[] = []): string {
  const query = { q: [`uuid=${uuid}`] }
  const clusters = useApiQuery(queryClusterPlugin, query, { enabled: page === 'clusters' })
  const endpoints = useApiQuery(queryChatAppEndpoint, query, { enabled: page === 'chat' })
  const found = (page === 'clusters' ? clusters : endpoints).data?.inventories?.[0]
  return found?.name ?? uuid
}
