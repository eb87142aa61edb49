import { ConnectionError } from '../error.ts'
import { sleep } from '../http/abortable.ts'
import { Attempts, type RetryLimits, retryAfterMs } from '../http/retry.ts'
import { TusRefusal, type TusUpload } from './tus.ts'

/** False when the upload has already ended. */
export async function abortUpload(upload: TusUpload, retry: RetryLimits): Promise<boolean> {
  const attempts = new Attempts(retry)
  for (;;) {
    try {
      await upload.terminate()
      return true
    } catch (error) {
      const refusal = error instanceof TusRefusal ? error : undefined
      if (refusal?.isEnded) return false
      const pauseMs =
        refusal && !refusal.isResumable
          ? undefined
          : attempts.nextPauseMs(refusal && retryAfterMs(refusal.headers, Date.now()))
      if (pauseMs === undefined)
        throw (
          refusal?.error ??
          new ConnectionError(`cannot abort the upload: ${(error as Error).message}`, { cause: error })
        )
      await sleep(pauseMs)
    }
  }
}
