import { setTimeout as delay } from 'node:timers/promises'
import { onAbort } from '@wharf/platform/abort.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readKeys } from '../call-options.ts'
import { toApiError } from '../failures.ts'
import { sendAccepted } from '../job-protocol.ts'
import type { RouteDeps } from '../route-deps.ts'
import type { Relay } from './forward-request.ts'

/** A draining node has a few seconds; a job that starts later is not reported. */
const pollMs = 100
const maxPolls = 50

interface ForwardDeps extends Pick<RouteDeps, 'jobs' | 'draining' | 'settings'> {
  readonly relay: Relay
}

/**
 * Forwards a call to the node that has what it needs. When this node drains meanwhile, the call gets 202 like every other
 * waiting call: its job has the uuid of the request, whichever node runs it.
 */
export function forwardUntilDrained({ relay, jobs, draining, settings }: ForwardDeps) {
  return async (request: FastifyRequest, reply: FastifyReply, error: WrongNodeError): Promise<ApiError | undefined> => {
    if (request.operation?.mode !== 'job') return relay(request, reply, error).catch(toApiError)
    const released = new AbortController()
    const jobUuid = jobUuidOf(request)
    const release = async (): Promise<void> => {
      for (let poll = 0; poll < maxPolls && !released.signal.aborted; poll++) {
        const job = await jobs.get(jobUuid).catch(() => undefined)
        // another user may have a job with this uuid
        if (job !== undefined && job.userUuid === request.caller?.userUuid) released.abort()
        else await delay(pollMs)
      }
    }
    using _draining = onAbort(draining, () => void release())
    const failure = await relay(request, reply, error, released.signal).catch(toApiError)
    if (!failure || !released.signal.aborted) return failure
    await sendAccepted(request, reply, jobs, settings, jobUuid)
    return undefined
  }
}

/** The uuid of the job that the other node creates for this call. */
const jobUuidOf = ({ headers, id }: FastifyRequest): string => readKeys(headers).jobUuid ?? id
