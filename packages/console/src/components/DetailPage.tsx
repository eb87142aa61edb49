import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import Spinner from '@cloudscape-design/components/spinner'
import { type ReactNode, useState } from 'react'
import { linkTo } from '../browser/route.ts'
import { DeletedNotice } from './DeletedNotice.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'
import { type RecordAction, RecordActions } from './RecordActions.tsx'
import { DetailTabs } from './record-history/DetailTabs.tsx'
import { HistoryLink } from './record-history/HistoryLink.tsx'
import { type RecordQuery, recordState } from './record-state.ts'

interface DetailPageProps<R> {
  /** Finds the record by its uuid. */
  readonly query: RecordQuery<R>
  readonly notFound: string
  /** The list that the record belongs to, and the label of the link to it. */
  readonly list: { readonly path: readonly string[]; readonly label: string }
  readonly title: (record: R) => ReactNode
  readonly description?: (record: R) => string | null | undefined
  readonly actions?: (record: R) => readonly RecordAction[]
  /** The field of audit entries that has the uuid of the record; null for a record without a history. */
  readonly historyField?: 'resourceUuid' | 'jobUuid' | null
  /** The sections of the page. */
  readonly children: (record: R) => ReactNode
}

/** The page of one record: its name, its actions, and sections; or why it cannot be shown. */
export function DetailPage<R extends { readonly uuid?: string }>(props: DetailPageProps<R>) {
  const { query, notFound, list, title, description, actions, historyField = 'resourceUuid', children } = props
  const [actionError, setActionError] = useState<unknown>()
  const state = recordState(query)
  if (state.kind === 'failed') return <ErrorAlert error={state.error} />
  if (state.kind === 'loading') return <Spinner size="large" />
  if (state.kind === 'missing')
    return (
      <DeletedNotice text={notFound} href={linkTo(list.path)} toList={list.label}>
        {historyField === 'resourceUuid' ? <HistoryLink /> : null}
      </DeletedNotice>
    )
  const { record } = state
  // not SpaceBetween, for which the fragment of a page is one child
  const sections = <div className="sections">{children(record)}</div>
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={description?.(record) || undefined}
          actions={actions ? <RecordActions actions={actions(record)} onError={setActionError} /> : null}
        >
          {title(record)}
        </Header>
      }
    >
      <div className="sections">
        {actionError ? <ErrorAlert error={actionError} /> : null}
        {historyField ? <DetailTabs history={`${historyField}=${record.uuid}`}>{sections}</DetailTabs> : sections}
      </div>
    </ContentLayout>
  )
}
