import type { AuditRecord } from '@wharf/contract'
import { version } from '@wharf/platform/version.ts'

/** The version of the schema; schema.ocsf.io has its classes. */
const schemaVersion = '1.6.0'
const category = 6
const apiActivity = 6003

const activities = { Create: 1, Read: 2, Update: 3, Delete: 4, Other: 99 } as const
type Activity = keyof typeof activities

const byMethod: Readonly<Record<string, Activity>> = { GET: 'Read', POST: 'Create', PUT: 'Update', DELETE: 'Delete' }

/** Without a call, by the change: a record that did not exist before was created. */
function activityOf({ method, changes }: AuditRecord): Activity {
  if (method !== null) return byMethod[method] ?? 'Other'
  const values = Object.values(changes)
  if (values.length === 0) return 'Other'
  if (values.every(({ before }) => before === null)) return 'Create'
  return values.every(({ after }) => after === null) ? 'Delete' : 'Update'
}

/** An entry as an event of the class API Activity. Attributes without a value are omitted by JSON. */
export function ocsfEvent(entry: AuditRecord): object {
  const activity = activityOf(entry)
  const start = Date.parse(entry.startDate)
  const end = Date.parse(entry.endDate)
  const isSuccess = entry.outcome === 'Success'
  return {
    category_uid: category,
    category_name: 'Application Activity',
    class_uid: apiActivity,
    class_name: 'API Activity',
    activity_id: activities[activity],
    activity_name: activity,
    type_uid: apiActivity * 100 + activities[activity],
    type_name: `API Activity: ${activity}`,
    severity_id: 1,
    severity: 'Informational',
    time: start,
    start_time: start,
    end_time: end,
    duration: Math.max(0, end - start),
    count: entry.count,
    status_id: isSuccess ? 1 : 2,
    status: isSuccess ? 'Success' : 'Failure',
    status_code: entry.errorCode ?? undefined,
    status_detail: entry.outcome,
    metadata: {
      version: schemaVersion,
      product: { name: 'Wharf', vendor_name: 'Wharf', version },
      uid: entry.uuid,
      sequence: entry.seq,
      original_time: entry.startDate,
      log_name: 'audit',
      correlation_uid: entry.jobUuid ?? entry.requestId ?? undefined,
    },
    actor: actorOf(entry),
    api: {
      operation: entry.operation,
      service: { name: 'wharf' },
      request: entry.requestId === null ? undefined : { uid: entry.requestId },
      response: entry.status === null ? undefined : { code: entry.status, error: entry.errorCode ?? undefined },
    },
    http_request:
      entry.method === null
        ? undefined
        : {
            http_method: entry.method,
            url: { path: entry.path ?? undefined },
            user_agent: entry.userAgent ?? undefined,
          },
    http_response: entry.method === null || entry.status === null ? undefined : { code: entry.status },
    src_endpoint: entry.sourceIp === null ? { uid: entry.managementNodeUuid } : { ip: entry.sourceIp },
    dst_endpoint: { uid: entry.managementNodeUuid, svc_name: 'wharf' },
    resources:
      entry.resourceUuid === null
        ? undefined
        : [
            {
              uid: entry.resourceUuid,
              name: entry.resourceName ?? undefined,
              type: entry.resourceType ?? undefined,
              data: entry.changes,
            },
          ],
    unmapped: { hash: entry.hash, role: entry.role ?? undefined, jobUuid: entry.jobUuid ?? undefined },
  }
}

function actorOf({ actorKind, userUuid, actorName, role, accountUuid, credentialUuid }: AuditRecord): object {
  if (actorKind === 'System') return { app_name: 'Wharf' }
  if (userUuid === null) return { user: { name: actorName ?? 'Anonymous', type_id: 0, type: 'Unknown' } }
  const type = role === 'admin' ? { type_id: 2, type: 'Admin' } : { type_id: 1, type: 'User' }
  return {
    user: {
      uid: userUuid,
      name: actorName ?? undefined,
      ...type,
      account: accountUuid === null ? undefined : { uid: accountUuid },
      credential_uid: actorKind === 'AccessKey' ? (credentialUuid ?? undefined) : undefined,
    },
    session: actorKind === 'Session' && credentialUuid !== null ? { uid: credentialUuid } : undefined,
  }
}
