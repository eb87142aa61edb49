import { unreachable } from '@wharf/sftp/connection.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { fetchKeyInJob } from '../../records/first-connection-job.ts'
import { sftpLocation } from './locations.ts'
import type { BackupStorageService } from './service.ts'
import type { BackupStorageRow } from './store.ts'

/** Only type sftp has a host key. */
export async function pinHostKey(
  row: BackupStorageRow,
  { signal, log }: JobContext,
  backupStorage: BackupStorageService,
  fingerprint: string | undefined,
): Promise<{ hostKey: string } | undefined> {
  if (row.type !== 'sftp') return undefined
  const target = { ...sftpLocation(row.url), username: backupStorage.usernameOf(row) }
  const hostKey = await fetchKeyInJob(target, { signal, fingerprint }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unreachable(`backup storage ${row.name}`, error)
  })
  log(`pinned the host key of ${target.address}`)
  return { hostKey }
}
