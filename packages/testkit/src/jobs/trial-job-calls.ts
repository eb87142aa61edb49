import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Client } from '../calls/client.ts'
import type { TrialScript } from './trial-job.ts'

/** A job of the trial operation, as a client of the API sees it. */
export class TrialJob {
  readonly uuid: string
  readonly token: string
  readonly #client: Client

  constructor(client: Client, location: string) {
    const { pathname, searchParams } = new URL(location)
    this.uuid = pathname.split('/').at(-1) ?? ''
    this.token = searchParams.get('token') ?? ''
    this.#client = client
  }

  /** Requests an immediate answer with a known uuid: a job that is already done has no location. */
  static async start(
    client: Client,
    script: Partial<TrialScript> = {},
    { subjectUuid, headers }: { subjectUuid?: string; headers?: Record<string, string> } = {},
  ): Promise<TrialJob> {
    const uuid = headers?.['x-job-uuid'] ?? randomUUID().replaceAll('-', '')
    const ownUuid = { 'x-job-uuid': uuid, prefer: 'respond-async', ...headers }
    const answer = await startTrialCall(client, script, ownUuid, subjectUuid)
    if (answer.status === 202) return new TrialJob(client, String(answer.body.location))
    if (answer.status === 200) return new TrialJob(client, `${client.url}/v1/api-jobs/${uuid}`)
    throw new Error(`the trial job did not start: ${answer.text}`)
  }

  /** Through another server, such as the same one after a restart. */
  seenBy(client: Client): TrialJob {
    return new TrialJob(client, `${client.url}/v1/api-jobs/${this.uuid}?token=${this.token}`)
  }

  /** By the client's own credential, or without one by the token of the location. */
  get(): Promise<Answer> {
    const query = this.#client.credential.kind === 'none' ? `?token=${this.token}` : ''
    return this.#client.get(`/v1/api-jobs/${this.uuid}${query}`)
  }

  cancel(): Promise<Answer> {
    return this.#client.delete(`/v1/api-jobs/${this.uuid}`)
  }

  /** The record that the collection of jobs shows. */
  async row(): Promise<Record<string, unknown>> {
    const { body } = await this.#client.get(`/v1/api-jobs?q=uuid=${this.uuid}`)
    return (body.inventories as Record<string, unknown>[])[0] ?? {}
  }

  async log(): Promise<string[]> {
    return (await this.#client.get(`/v1/api-jobs/${this.uuid}/log`)).text.split('\n').slice(0, -1)
  }

  /** Resolves when the job's record has this value, such as a state or a step. */
  async waitFor(field: 'state' | 'currentStep', value: string, timeoutMs = 10_000): Promise<void> {
    const until = performance.now() + timeoutMs
    for (let now: unknown; now !== value; await delay(10)) {
      now = (await this.row())[field]
      if (performance.now() > until) throw new Error(`the ${field} of the job is ${now}, not ${value}`)
    }
  }

  /** The job's answer once it is no longer 202. */
  async waitForEnd(timeoutMs = 10_000): Promise<Answer> {
    for (const until = performance.now() + timeoutMs; ; await delay(20)) {
      const answer = await this.get()
      if (answer.status !== 202) return answer
      if (performance.now() > until) throw new Error(`the job has not ended: ${answer.text}`)
    }
  }
}

/** The call itself, however it is answered. */
export const startTrialCall = (
  client: Client,
  script: Partial<TrialScript> = {},
  headers: Record<string, string> = {},
  subjectUuid?: string,
): Promise<Answer> =>
  client.post(
    '/v1/demo-jobs',
    { params: { script: JSON.stringify(script), subjectUuid: subjectUuid ?? null } },
    headers,
  )
