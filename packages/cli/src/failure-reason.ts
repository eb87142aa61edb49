import type { Wharf } from '@wharf/sdk'

interface Failure {
  readonly name?: string
  readonly code?: string
  readonly description?: string
  readonly details?: string
  readonly cause?: Failure | undefined
}

/** Deeper causes repeat the outer ones. */
const maxCauses = 5

/** The error with which a job ended; undefined while it runs or after success. */
export async function failureReason(wharf: Wharf, jobUuid: string): Promise<string | undefined> {
  try {
    await wharf.job(jobUuid).poll()
    return undefined
  } catch (error) {
    const failure = error as Failure
    if (failure.name !== 'WharfError') throw error
    return linesOf(failure).join('\n')
  }
}

function linesOf(failure: Failure, depth = 0): string[] {
  const { code = '', description = '', details = '', cause } = failure
  const text = details.replace(/ \(request \w+\)$/, '').trimEnd()
  const own = [`${code} ${description}`, ...(text === '' || text === description ? [] : text.split('\n'))]
  return cause?.code === undefined || depth >= maxCauses ? own : [...own, ...linesOf(cause, depth + 1)]
}
