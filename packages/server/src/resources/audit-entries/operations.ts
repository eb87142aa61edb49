import { getAuditDigest, getAuditEntry, getAuditPublicKey, queryAuditDigest, queryAuditEntry } from '@wharf/contract'
import type { AuditService } from '../../audit/service.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import type { Call } from '../../calls/call-context.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'

export function auditOperations({ queries, audit }: { queries: Queries; audit: AuditService }): Binding[] {
  return [
    ...queryBindings(queries, queryAuditEntry, getAuditEntry).map((binding) => ({
      ...binding,
      handler: async (call: Call) => {
        await audit.chainCommitted()
        return binding.handler(call)
      },
    })),
    ...queryBindings(queries, queryAuditDigest, getAuditDigest),
    handle(getAuditPublicKey, () => ({ publicKey: audit.signingKey.publicKey })),
  ]
}
