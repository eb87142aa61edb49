import { after, before, describe } from 'node:test'
import { reverseCleanup } from '../reverse-cleanup.ts'
import type { DriverUnderTest } from './driver-under-test.ts'
import { describeDriverFiles } from './host-driver-files.ts'
import { describeDriverRuns } from './host-driver-runs.ts'

/** What every driver must do; `open` is called once, and what it opens is closed at the end. */
export function hostDriverContract(
  name: string,
  open: (t: { after(work: () => Promise<void>): void }) => Promise<DriverUnderTest>,
): void {
  describe(`host driver ${name}`, () => {
    let opened: DriverUnderTest | undefined
    const cleanup = reverseCleanup({ after })
    before(async () => {
      opened = await open(cleanup)
    })
    const current = (): DriverUnderTest => {
      if (opened === undefined) throw new Error(`the ${name} driver was not opened`)
      return opened
    }
    describeDriverRuns(current)
    describeDriverFiles(current)
  })
}
