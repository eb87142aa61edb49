import Link from '@cloudscape-design/components/link'
import type { Operation } from '@wharf/contract'
import type { Column } from '../table/column.ts'
import { cellOf } from '../table/column-definition.tsx'
import { recordLink, typeWithoutPage } from './record-link.ts'
import { useCanReadAudit } from './use-can-read-audit.ts'

/** The names of records without a page are links to their history, for those who may read the audit trail. */
export function useHistoryLink<R>(
  operation: Pick<Operation, 'queries'> | undefined,
  columns: readonly Column<R>[],
): readonly Column<R>[] {
  const canReadAudit = useCanReadAudit()
  const resourceType = typeWithoutPage(operation)
  const [name, ...others] = columns
  if (!canReadAudit || resourceType === undefined || name === undefined) return columns
  const cell = (record: R) => {
    const { uuid } = record as { readonly uuid?: string }
    const text = cellOf(name, record, uuid ?? '')
    const href = recordLink({ resourceType, resourceUuid: uuid })
    return href ? <Link href={href}>{text}</Link> : text
  }
  return [{ ...name, cell }, ...others]
}
