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
  /** What to do. */
  readonly remedy?: string
}

const reachMs = 10_000
/** The server refuses signatures that are older or younger than this. */
const maxClockErrorMs = 15 * 60_000
/** Worth a word, although nothing fails yet. */
const strangeClockErrorMs = 60_000

const ok = (check: string, found: string): Finding => ({ check, result: 'ok', found })
const failed = (check: string, found: string, remedy: string): Finding => ({ check, result: 'failed', found, remedy })
const warning = (check: string, found: string, remedy: string): Finding => ({ check, result: 'warning', found, remedy })

/** One thing after the other; what depends on something that failed is left out. */
export async function checkUp(cli: Cli): Promise<Finding[]> {
  const findings: Finding[] = [...settings(cli)]
  let connection: Connection
  try {
    connection = cli.connection
    cli.trust(connection.url)
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string }
    return [...findings, failed('settings', message, hint ?? 'wharf login --url ADDRESS')]
  }
  const { url, urlFrom } = connection
  findings.push(ok('settings', `${url}, from ${urlFrom}`))
  const reached = await reach(url)
  findings.push(...reached.findings)
  if (!reached.isServer) return findings
  const credential = await credentialOf(cli, connection)
  findings.push(credential.finding)
  const { wharf } = credential
  if (wharf) findings.push(await versions(wharf), ok('time zone', `every time is printed in ${wharf.timeZone}`))
  return findings
}

function* settings(cli: Cli): Generator<Finding> {
  const profiles = new Profiles(cli.io)
  if (profiles.isExposed)
    yield warning(
      'secrets',
      `${profiles.credentialsPath} can be read by others`,
      `chmod 600 ${profiles.credentialsPath}`,
    )
}

async function reach(url: string): Promise<{ findings: Finding[]; isServer: boolean }> {
  let response: Response
  const began = Date.now()
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
      signal: AbortSignal.timeout(reachMs),
      redirect: 'manual',
    })
  } catch (error) {
    return { findings: [unreachable(url, error)], isServer: false }
  }
  const ended = Date.now()
  const isWharf =
    /^application\/json/.test(response.headers.get('content-type') ?? '') && response.headers.has('x-request-id')
  if (!isWharf) {
    const found = `${url} answers ${response.status}, which is no answer of a Wharf server`
    return {
      findings: [
        failed(
          'address',
          found,
          'the address ends with the path of the server, such as /wharf; a proxy may stand between',
        ),
      ],
      isServer: false,
    }
  }
  const { warnings, details } = await readiness(response)
  const reason = details === undefined ? '' : `: ${printable(details)}`
  const address = response.ok
    ? ok('address', `answers in ${ended - began} ms`)
    : failed(
        'address',
        `the server is not ready (${response.status})${reason}`,
        'its log says why; it may still be starting',
      )
  const server = warnings.map((text) => warning('server', printable(text), 'fix it on the machine of the server'))
  return { findings: [address, ...server, clock(response.headers.get('date'), (began + ended) / 2)], isServer: true }
}

/** What `/readyz` reports beside its status: warnings of a server that is ready, the reason of one that is not. */
async function readiness(response: Response): Promise<{ warnings: string[]; details?: string | undefined }> {
  const body = (await response.json().catch(() => undefined)) as
    | { warnings?: unknown; error?: { details?: unknown } }
    | undefined
  const { warnings, error } = body ?? {}
  return {
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
    details: typeof error?.details === 'string' ? error.details : undefined,
  }
}

/** What the system says, and what that usually means. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens there: start it (npm start), or mend the address',
  ENOTFOUND: 'the name is not known: mend the address, or the resolver of this machine',
  EAI_AGAIN: 'names cannot be looked up at the moment: mend the network of this machine',
  EHOSTUNREACH: 'there is no way to that machine: mend the network, or the address',
  ETIMEDOUT: 'nothing answers: a firewall may stand between',
  ...certificateRemedies,
}

function unreachable(url: string, error: unknown): Finding {
  const { cause, message, name } = error as {
    cause?: { code?: string; message?: string }
    message: string
    name: string
  }
  const code = cause?.code ?? (name === 'TimeoutError' ? 'ETIMEDOUT' : '')
  const reason = cause?.message || cause?.code || message
  return failed('address', `${url} cannot be reached: ${printable(reason)}`, remedies[code] ?? 'mend the address')
}

function clock(date: string | null, now: number): Finding {
  const offMs = date === null ? Number.NaN : now - Date.parse(date)
  if (Number.isNaN(offMs))
    return warning('clock', 'the server does not tell the time', 'a proxy may have taken its Date header away')
  const seconds = Math.abs(Math.round(offMs / 1000))
  const found =
    // a Date header has no fractions
    seconds <= 1
      ? 'this machine and the server agree'
      : `this machine is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} the server`
  if (Math.abs(offMs) > maxClockErrorMs)
    return failed(
      'clock',
      found,
      'set the clock: signatures are refused beyond 15 minutes (wharf itself corrects for it)',
    )
  return Math.abs(offMs) > strangeClockErrorMs
    ? warning('clock', found, 'set the clock: beyond 15 minutes signatures are refused')
    : ok('clock', found)
}

async function credentialOf(
  cli: Cli,
  { credentialFrom, url }: Connection,
): Promise<{ finding: Finding; wharf?: Wharf }> {
  if (credentialFrom === undefined)
    return { finding: failed('credential', 'there is none for this server', `wharf login --url ${url}`) }
  try {
    const wharf = await cli.wharf()
    await wharf.managementNodes.query({ limit: 1 })
    return { finding: ok('credential', `is accepted, from ${credentialFrom}`), wharf }
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

async function versions(wharf: Wharf): Promise<Finding> {
  const { inventories = [] } = await wharf.managementNodes.query({ q: ['status=Alive'] })
  const servers = [...new Set(inventories.map((node) => node.version ?? ''))]
  const found = `wharf ${version}, Node ${process.versions.node}, server ${servers.join(' and ')}`
  const major = (text: string): string => text.split('.')[0] ?? ''
  return servers.every((one) => major(one) === major(version)) && servers.length <= 1
    ? ok('versions', found)
    : warning(
        'versions',
        found,
        'use the same version everywhere: newer servers may have what this wharf does not know',
      )
}
