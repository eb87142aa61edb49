import { deviceAuthorizationPath, deviceClientId, deviceGrantType, deviceTokenPath } from '@wharf/contract'
import { ConnectionError } from './error.ts'
import { sleep } from './http/abortable.ts'
import { Wharf } from './wharf.ts'

/** What the user needs to confirm the sign-in in the console, on any machine. */
export interface DeviceCode {
  readonly userCode: string
  readonly verificationUri: string
  /** The same address with the code. */
  readonly verificationUriComplete: string
  readonly expiresInSeconds: number
}

/** The access key that the confirmation has created. */
export interface DeviceKey {
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly accessKeyUuid: string
  readonly accountUuid: string
  readonly userUuid: string
  readonly role: string
  readonly expiresInSeconds: number
}

export interface DeviceLoginOptions {
  /** As the address of `Wharf`. */
  readonly url: string
  /** Shows the code to the user. */
  readonly onCode: (code: DeviceCode) => void
  /** The host name, for the user who confirms. */
  readonly clientName?: string | undefined
  /** The role that the page of the confirmation suggests. */
  readonly role?: 'admin' | 'operator' | 'reader' | undefined
  readonly fetch?: typeof fetch | undefined
  /** The name of the program, in sessions and audit entries; a browser sends its own. */
  readonly userAgent?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A refusal: `access_denied`, `expired_token` or another code of OAuth; `not_supported` of a server without the device grant. */
export class DeviceLoginError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'DeviceLoginError'
    this.code = code
  }
}

/** Signs in by the device grant (RFC 8628): waits until a user has confirmed the code in the console. */
export async function signInByDevice(options: DeviceLoginOptions): Promise<DeviceKey> {
  const { onCode, clientName, role, signal } = options
  const { url } = new Wharf({ url: options.url })
  const send = async (path: string, form: Record<string, string>): Promise<Answer> =>
    post(options, `${url}${path}`, { client_id: deviceClientId, ...form })

  const started = await send(deviceAuthorizationPath, {
    ...(clientName === undefined ? {} : { client_name: clientName }),
    ...(role === undefined ? {} : { scope: role }),
  })
  if (started.status === 404) throw new DeviceLoginError('not_supported', 'the server has no device sign-in')
  if (started.status !== 200) throw refusalOf(started)
  const { device_code: deviceCode, expires_in: expiresIn, interval } = started.body
  onCode({
    userCode: String(started.body.user_code),
    verificationUri: String(started.body.verification_uri),
    verificationUriComplete: String(started.body.verification_uri_complete),
    expiresInSeconds: Number(expiresIn),
  })
  // RFC 8628, section 3.2: five seconds unless the server names another interval
  let seconds = Number(interval ?? 5)
  for (;;) {
    await sleep(seconds * 1000, signal)
    const answer = await send(deviceTokenPath, { grant_type: deviceGrantType, device_code: String(deviceCode) }).catch(
      (error: unknown) => {
        // the server restarts; the sign-in is stored
        if (error instanceof ConnectionError) return undefined
        throw error
      },
    )
    if (answer?.status === 200) return keyOf(answer.body)
    if (answer?.body.error === 'slow_down') seconds += 5
    else if (answer !== undefined && answer.status < 500 && answer.body.error !== 'authorization_pending')
      throw refusalOf(answer)
  }
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function post(
  { fetch: send = fetch, userAgent, signal }: DeviceLoginOptions,
  url: string,
  form: Record<string, string>,
): Promise<Answer> {
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent }
  const body = new URLSearchParams(form)
  try {
    const response = await send(url, { method: 'POST', headers, body, signal: signal ?? null })
    const text = await response.text()
    return { status: response.status, body: parsed(text) }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ConnectionError(`cannot reach ${url}`, { cause: error })
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}

function refusalOf({ status, body }: Answer): DeviceLoginError {
  const code = typeof body.error === 'string' ? body.error : 'invalid_answer'
  return new DeviceLoginError(code, String(body.error_description ?? `the server answered with status ${status}`))
}

const keyOf = (body: Answer['body']): DeviceKey => ({
  accessKeyId: String(body.access_key_id),
  accessKeySecret: String(body.access_token),
  accessKeyUuid: String(body.access_key_uuid),
  accountUuid: String(body.account_uuid),
  userUuid: String(body.user_uuid),
  role: String(body.scope),
  expiresInSeconds: Number(body.expires_in),
})
