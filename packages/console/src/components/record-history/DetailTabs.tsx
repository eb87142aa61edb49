import Tabs from '@cloudscape-design/components/tabs'
import type { ReactNode } from 'react'
import { linkTo, navigate, useRoute } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { RecordHistory } from './RecordHistory.tsx'
import { useCanReadAudit } from './use-can-read-audit.ts'

const historyTab = 'history'

interface DetailTabsProps {
  /** The condition of the audit entries that belong to the record. */
  readonly history: string
  readonly children: ReactNode
}

/** The sections of a record, and its history for those who may read the audit trail. */
export function DetailTabs({ history, children }: DetailTabsProps) {
  const t = useMessages(messages)
  const { path, search } = useRoute()
  if (!useCanReadAudit()) return children
  const links = { details: linkTo(path), [historyTab]: linkTo(path, { tab: historyTab }) }
  return (
    <Tabs
      ariaLabel={t.views}
      activeTabId={search.get('tab') === historyTab ? historyTab : 'details'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? links.details)}
      tabs={[
        { id: 'details', label: t.details, href: links.details, content: children },
        {
          id: historyTab,
          label: t.history,
          href: links[historyTab],
          content: <RecordHistory condition={history} />,
        },
      ]}
    />
  )
}
