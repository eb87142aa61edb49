import type { Row } from '@wharf/database/row-list.ts'
import type { Caller } from '../../calls/caller.ts'
import type { UploadService } from '../uploads/service.ts'

export const hiddenUploadUrl = 'uploadUrl::[hidden]'

/**
 * The URL of an open upload needs no other credential, so it is not stored: it is generated for the user who started the
 * upload and for admins.
 */
export const showUploadUrls =
  (uploads: UploadService) =>
  async ({ caller, address }: { caller: Caller; address(): string }, rows: Row[]): Promise<Row[]> => {
    const hidden = rows.filter(({ tag }) => tag === hiddenUploadUrl)
    if (hidden.length === 0) return rows
    const open = await uploads.openOf(hidden.map(({ resourceUuid }) => String(resourceUuid)))
    const paths = new Map(
      open
        .filter(({ userUuid }) => caller.role === 'admin' || userUuid === caller.userUuid)
        .map(({ packageUuid, path }) => [packageUuid, path]),
    )
    return rows.map((row) => {
      const path = row.tag === hiddenUploadUrl ? paths.get(String(row.resourceUuid)) : undefined
      return path === undefined ? row : { ...row, tag: `uploadUrl::${address()}${path}` }
    })
  }
