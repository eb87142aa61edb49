import { ApiError } from '@wharf/platform/api-error.ts'
import { SuspensionWatch } from '@wharf/platform/suspension-watch.ts'

const probeTimeoutMs = 15_000

export type ProbeResult<T> =
  | { readonly answer: T }
  /** `isCertain` unless this process was suspended meanwhile: an answer may have arrived in time. */
  | { readonly failure: ApiError; readonly isCertain: boolean }

/** Queries something that may be unreachable. `silent` is the failure for errors without a code. */
export async function probeWithTimeout<T>(
  query: (signal: AbortSignal) => Promise<T>,
  silent: (cause: unknown) => ApiError,
): Promise<ProbeResult<T>> {
  using suspension = new SuspensionWatch()
  try {
    return { answer: await query(AbortSignal.timeout(probeTimeoutMs)) }
  } catch (error) {
    return { failure: error instanceof ApiError ? error : silent(error), isCertain: !suspension.wasSuspended }
  }
}
