import type { JobContext } from '../jobs/definition.ts'
import { ApiError } from '../platform/api-error.ts'
import { answerMs, refused, requireAccepted } from './component.ts'
import type { JobParts } from './jobs/parts.ts'

interface Running {
  readonly managementIp: string
  readonly apiPort: number
  readonly adminToken: string
}

/**
 * Is this the token of the component that runs there? An installed package of its kind knows best how to ask: some
 * components answer /health to anybody. Without such a package, /health it is.
 */
export async function requireToken(
  context: JobContext,
  { packages, settings }: JobParts,
  { managementIp, apiPort, adminToken: token }: Running,
): Promise<void> {
  const checking = await packages.findClusterCheck({ managementIp, apiPort })
  if (checking === undefined) {
    const { downloadAllow: allow, caFile } = settings
    return requireAccepted({ managementIp, apiPort, token }, { allow, caFile, signal: context.signal })
  }
  const { row, hook } = checking
  const inTime = AbortSignal.timeout(answerMs)
  const signal = AbortSignal.any([context.signal, inTime])
  context.log(`asking by the check of software package ${row.name}`)
  try {
    const cluster = { managementIp, apiPort }
    await packages.runHook({ ...context, signal }, row, 'cluster.check', hook, { cluster, token })
  } catch (cause) {
    context.signal.throwIfAborted()
    if (inTime.aborted)
      throw refused(`the check of software package ${row.name} did not end within ${answerMs / 1000} s`)
    if (cause instanceof ApiError && cause.code === 'SoftwarePackage.1300') throw refused(cause.message)
    throw cause
  }
}
