// A server that writes no audit entries: what a call costs without the trail.
import { AuditTrail } from '@wharf/server/audit/audit-trail.ts'
import { AuditedCalls } from '@wharf/server/http/audited-call.ts'

const nothing = (): void => {}
Object.assign(AuditTrail.prototype, {
  collect: nothing,
  collectJob: nothing,
  collectEnd: nothing,
  collectRemoval: nothing,
})
// otherwise each call would be counted as one that changed nothing
Object.assign(AuditedCalls.prototype, { recordUnchanged: async () => {} })
// not the bundle, which has classes of its own
await import('@wharf/server/program/command-line.ts' as string)
