import { ApiError } from './api-error.ts'
import { StandstillWatch } from './standstill.ts'

/** What does not answer in this time is away. */
const lookMs = 15_000

export type Seen<T> =
  | { readonly answer: T }
  /** `isSure` unless this process stood still meanwhile: then it may have been answered in time. */
  | { readonly failure: ApiError; readonly isSure: boolean }

/** Asks something that may be away. */
export async function look<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  silent: (cause: unknown) => ApiError,
): Promise<Seen<T>> {
  using standstill = new StandstillWatch()
  try {
    return { answer: await ask(AbortSignal.timeout(lookMs)) }
  } catch (error) {
    return { failure: error instanceof ApiError ? error : silent(error), isSure: !standstill.stoodStill }
  }
}
