import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { printable } from '../output/printable.ts'
import { certificateRemedies } from '../settings/certificates.ts'
import type { Connection } from '../settings/connection.ts'
import { Profiles } from '../settings/profiles.ts'
import { version } from '../version.ts'

export interface Finding {
  readonly check: string
  readonly result: 'ok' | 'warning' | 'failed'
  readonly found: string
  readonly remedy?: string
}

const requestMs = 10_000
/** The server refuses signatures with a larger difference. */
const maxClockErrorMs = 5 * 60_000
/** A warning before signatures fail. */
const warnClockErrorMs = 60_000

const ok = (check: string, found: string): Finding => ({ check, result: 'ok', found })
const failed = (check: string, found: string, remedy: string): Finding => ({ check, result: 'failed', found, remedy })
const warning = (check: string, found: string, remedy: string): Finding => ({ check, result: 'warning', found, remedy })

/** Runs the checks in order; skips those that depend on a failed one. */
export async function diagnose(cli: Cli): Promise<Finding[]> {
  const findings: Finding[] = [...checkSecrets(cli)]
  let connection: Connection
  try {
    connection = cli.connection
    cli.trust(connection.url)
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string }
    return [...findings, failed('settings', message, hint ?? 'wharf login --url ADDRESS')]
  }
  const { url, urlFrom } = connection
  findings.push(ok('settings', `${url} (${urlFrom})`))
  const reached = await checkAddress(url)
  findings.push(...reached.findings)
  if (!reached.isServer) return findings
  const credential = await checkCredential(cli, connection)
  findings.push(credential.finding)
  const { wharf } = credential
  if (wharf)
    findings.push(
      ...(await checkExpiries(wharf)),
      await checkVersions(wharf),
      ok('time zone', `times are printed in ${wharf.timeZone}`),
    )
  return findings
}

function* checkSecrets(cli: Cli): Generator<Finding> {
  const profiles = new Profiles(cli.io)
  if (profiles.isExposed)
    yield warning(
      'secrets',
      `other users can read ${profiles.credentialsPath}`,
      `chmod 600 ${profiles.credentialsPath}`,
    )
}

async function checkAddress(url: string): Promise<{ findings: Finding[]; isServer: boolean }> {
  let response: Response
  const startedAt = Date.now()
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
      signal: AbortSignal.timeout(requestMs),
      redirect: 'manual',
    })
  } catch (error) {
    return { findings: [unreachableFinding(url, error)], isServer: false }
  }
  const endedAt = Date.now()
  const isWharf =
    /^application\/json/.test(response.headers.get('content-type') ?? '') && response.headers.has('x-request-id')
  if (!isWharf) {
    const found = `${url} responds with ${response.status}, which is not a response of a Wharf server`
    return {
      findings: [
        failed(
          'address',
          found,
          'check the address: it includes the API prefix, such as /wharf; a proxy may also intercept requests',
        ),
      ],
      isServer: false,
    }
  }
  const { warnings, details } = await readReadiness(response)
  const reason = details === undefined ? '' : `: ${printable(details)}`
  const address = response.ok
    ? ok('address', `responds in ${endedAt - startedAt} ms`)
    : failed(
        'address',
        `the server is not ready (${response.status})${reason}`,
        details === undefined
          ? 'wait while it starts, or check its log'
          : 'fix that on the server, or wait while it starts',
      )
  const server = warnings.map((text) => warning('server', printable(text), 'fix it on the server'))
  return {
    findings: [address, ...server, checkClock(response.headers.get('date'), (startedAt + endedAt) / 2)],
    isServer: true,
  }
}

/** The body of `/readyz`: warnings of a ready server, or the reason why it is not ready. */
async function readReadiness(response: Response): Promise<{ warnings: string[]; details?: string | undefined }> {
  const body = (await response.json().catch(() => undefined)) as
    | { warnings?: unknown; error?: { details?: unknown } }
    | undefined
  const { warnings, error } = body ?? {}
  return {
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
    details: typeof error?.details === 'string' ? error.details : undefined,
  }
}

/** Remedies by system error code. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server is listening: start it (npm start), or fix the address',
  ENOTFOUND: 'the host name is unknown: fix the address, or the DNS resolver of this machine',
  EAI_AGAIN: 'DNS is unavailable: fix the network of this machine',
  EHOSTUNREACH: 'no route to the host: fix the network, or the address',
  ETIMEDOUT: 'no response: check the firewall',
  ...certificateRemedies,
}

function unreachableFinding(url: string, error: unknown): Finding {
  const { cause, message, name } = error as {
    cause?: { code?: string; message?: string }
    message: string
    name: string
  }
  const code = cause?.code ?? (name === 'TimeoutError' ? 'ETIMEDOUT' : '')
  const reason = cause?.message || cause?.code || message
  return failed('address', `cannot reach ${url}: ${printable(reason)}`, remedies[code] ?? 'fix the address')
}

function checkClock(date: string | null, now: number): Finding {
  const differenceMs = date === null ? Number.NaN : now - Date.parse(date)
  if (Number.isNaN(differenceMs))
    return warning('clock', 'the response has no Date header', 'check whether a proxy removes it')
  const seconds = Math.abs(Math.round(differenceMs / 1000))
  const found =
    // a Date header has a resolution of one second
    seconds <= 1
      ? 'this machine and the server have the same time'
      : `this machine is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the server`
  if (Math.abs(differenceMs) > maxClockErrorMs)
    return failed(
      'clock',
      found,
      'set the clock: the server refuses signatures with more than 5 minutes difference (wharf corrects for it)',
    )
  return Math.abs(differenceMs) > warnClockErrorMs
    ? warning('clock', found, 'set the clock: the server refuses signatures with more than 5 minutes difference')
    : ok('clock', found)
}

async function checkCredential(
  cli: Cli,
  { credentialFrom, url }: Connection,
): Promise<{ finding: Finding; wharf?: Wharf }> {
  if (credentialFrom === undefined)
    return { finding: failed('credential', 'no credential for this server', `sign in: wharf login --url ${url}`) }
  try {
    const wharf = await cli.wharf()
    await wharf.managementNodes.query({ limit: 1 })
    return { finding: ok('credential', `accepted (${credentialFrom})`), wharf }
  } catch (error) {
    const { message } = error as Error
    return {
      finding: failed(
        'credential',
        `${credentialFrom}: ${printable(message)}`,
        `sign in again: wharf login --url ${url}`,
      ),
    }
  }
}

/** As long before as the server reports it. */
const expiryNoticeMs = 14 * 86_400_000

/** Of the caller, or of everyone for an admin. Older servers have no such field, and a limited key may not query. */
async function checkExpiries(wharf: Wharf): Promise<Finding[]> {
  const now = Date.now()
  const q = [
    `expiresDate>${new Date(now).toISOString()}`,
    `expiresDate<=${new Date(now + expiryNoticeMs).toISOString()}`,
    'state=Enabled',
  ]
  const { inventories = [] } = await wharf.accessKeys
    .query({ q, sort: 'expiresDate' })
    .catch(() => ({ inventories: [] }))
  return inventories.map(({ AccessKeyID, description, expiresDate }) =>
    warning(
      'access key',
      `${AccessKeyID}${description ? ` (${printable(description)})` : ''} expires on ${expiresDate}`,
      'create another one with wharf key create, and replace it',
    ),
  )
}

async function checkVersions(wharf: Wharf): Promise<Finding> {
  const { inventories = [] } = await wharf.managementNodes.query({ q: ['status=Alive'] })
  const servers = [...new Set(inventories.map((node) => node.version ?? ''))]
  const found = `wharf ${version}, Node ${process.versions.node}, server ${servers.join(' and ')}`
  const major = (text: string): string => text.split('.')[0] ?? ''
  return servers.every((server) => major(server) === major(version)) && servers.length <= 1
    ? ok('versions', found)
    : warning('versions', found, 'use the same version everywhere')
}
