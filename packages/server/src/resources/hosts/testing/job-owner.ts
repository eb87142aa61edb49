import { hash } from 'node:crypto'
import { asOwner } from '../../../jobs/ownership.ts'

/** The subject of every job here. */
const subject = 'c'.repeat(32)

/** Runs work as an owner of a job does, and collects what it logs. */
export function jobOwner(jobUuid: string, fence = 1) {
  const lines: string[] = []
  const ownership = {
    jobUuid: jobUuid.repeat(32),
    fence,
    subjectUuid: subject,
    requireOwned: () => {},
    loseOwnership: () => new Error('superseded'),
    digest: (text: string) => hash('sha256', text),
    onRecorded: (listener: (isRecorded: boolean) => void) => listener(false),
    log: (line: string) => void lines.push(line),
  }
  return { lines, by: <T>(work: () => Promise<T>): Promise<T> => asOwner(ownership, work) }
}
