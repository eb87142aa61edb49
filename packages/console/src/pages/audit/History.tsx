import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import { queryAuditEntry } from '@wharf/contract'
import { RecordHistory } from '../../components/record-history/RecordHistory.tsx'
import { useTypeNames } from '../../components/resource-types/use-type-names.ts'
import { useApiQuery } from '../../data/api-query.ts'

/** The history of a record whose type has no page; the record may no longer exist. */
export function History({ type, uuid }: { type: string; uuid: string }) {
  const condition = `resourceUuid=${uuid}`
  const named = { q: [condition, 'resourceName not null'], sort: '-endDate', limit: 1 }
  const { data } = useApiQuery(queryAuditEntry, named)
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={useTypeNames()(type)}>
          {data?.inventories?.[0]?.resourceName ?? uuid}
        </Header>
      }
    >
      <RecordHistory condition={condition} />
    </ContentLayout>
  )
}
