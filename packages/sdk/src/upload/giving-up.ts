import { ConnectionError } from '../error.ts'
import { pause } from '../http/pause.ts'
import { Attempts, type RetryLimits, retryAfterMs } from '../http/retry.ts'
import type { UploadClient } from './client.ts'
import { type TusAddress, TusRefusal } from './tus.ts'

/** False when it is over already: nothing is left to give up at this address. */
export async function giveUp(address: TusAddress, retry: RetryLimits): Promise<boolean> {
  const attempts = new Attempts(retry)
  for (;;) {
    try {
      await address.terminate()
      return true
    } catch (error) {
      const refusal = error instanceof TusRefusal ? error : undefined
      if (refusal?.isOver) return false
      const pauseMs =
        refusal && !refusal.mayGoOn
          ? undefined
          : attempts.nextPauseMs(refusal && retryAfterMs(refusal.headers, Date.now()))
      if (pauseMs === undefined)
        throw (
          refusal?.error ??
          new ConnectionError(`the upload cannot be given up: ${(error as Error).message}`, { cause: error })
        )
      await pause(pauseMs)
    }
  }
}

/** The server has begun it in the moment that the upload was complete. One that had failed before has none. */
export async function cancelJobOf(wharf: UploadClient, packageUuid: string): Promise<void> {
  const { inventories = [] } = await wharf.jobs.query({
    q: [`subjectUuid=${packageUuid}`],
    sort: '-createDate',
    limit: 1,
  })
  const uuid = inventories[0]?.uuid
  if (uuid !== undefined) await wharf.jobs.cancel(uuid)
}
