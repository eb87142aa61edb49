import { currentSource, type StoredSource, storedSource, withSource } from '../../audit/audit-source.ts'
import type { UploadRow } from './store.ts'

interface OpeningCall extends StoredSource {
  readonly operation: string
}

/** The column `auditSource` of an upload that is opened now. */
export function auditSourceColumn(): string {
  const source = currentSource()
  return JSON.stringify({ ...storedSource(source), operation: source.operation } satisfies OpeningCall)
}

/** What follows from a complete upload is attributed to the call that opened it, also when a retry or the next start finishes it. */
export function asOpener<T>({ auditSource }: UploadRow, startDate: number, work: () => T): T {
  // an upload that an older version opened
  if (auditSource === null) return work()
  const opening = JSON.parse(auditSource) as OpeningCall
  return withSource({ ...opening, startDate, isRecorded: false, isAccepted: false }, work)
}
