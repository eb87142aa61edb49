import { queryAuditEntry } from '@wharf/contract'
import { useCaller, useRefusal } from '../permission.ts'

/** Histories are for those who may read the audit trail; false until the caller is known. */
export function useCanReadAudit(): boolean {
  const caller = useCaller()
  const refusal = useRefusal()(queryAuditEntry)
  return caller !== undefined && !refusal
}
