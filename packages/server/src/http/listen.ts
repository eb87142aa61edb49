import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'
import type { FastifyInstance } from 'fastify'
import { createMalformedRequestHandler, httpOptions, ignoreExpectations } from './malformed-requests.ts'

/** The plain listener in addition to the TLS listener. */
export function plainListener(app: FastifyInstance, errorAlone: boolean): Server {
  const plain = createServer(httpOptions, (request, response) => app.routing(request, response))
  // Node's default of five minutes is too short for a slice on a slow connection
  plain.requestTimeout = app.server.requestTimeout
  plain.on('clientError', createMalformedRequestHandler(errorAlone))
  ignoreExpectations(plain, app)
  return plain
}

/** The backlog of connections; a client beyond it retries after a second. The system may allow less. */
const backlog = 4096

interface Ports {
  readonly basePath: string
  readonly host: string
  readonly port: number
  readonly httpPort?: number | undefined
  readonly tls?: unknown
}

/** Opens the ports and returns their addresses. */
export async function listen(app: FastifyInstance, plain: Server | undefined, settings: Ports): Promise<string[]> {
  const { host, port, httpPort } = settings
  await app.listen({ host, port, backlog }).catch(refusal('WHARF_PORT', host, port))
  const addresses = [addressOf(settings, portOf(app.server))]
  if (plain === undefined || httpPort === undefined) return addresses
  await new Promise<void>((resolve, reject) => {
    plain.once('error', reject)
    plain.listen(httpPort, host, backlog, resolve)
  }).catch(refusal('WHARF_HTTP_PORT', host, httpPort))
  return [...addresses, addressOf({ ...settings, tls: undefined }, portOf(plain))]
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** An address that this machine can connect to, also when it listens on all addresses. */
export function addressOf(settings: { host: string; basePath: string; tls?: unknown }, port: number): string {
  const { host, basePath, tls } = settings
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${reachable}:${port}${basePath}`
}

const refusal =
  (variable: string, host: string, port: number) =>
  (cause: NodeJS.ErrnoException): never => {
    const reasons: Record<string, string> = {
      EADDRINUSE: `the port is in use; stop the other program, or set ${variable} to another port (0 picks a free one)`,
      EACCES: `this user may not use that port; set ${variable} to one above 1023`,
      EADDRNOTAVAIL: 'this machine has no such address; set WHARF_HOST to one that it has',
      ENOTFOUND: 'the name is unknown; set WHARF_HOST to an address of this machine',
    }
    throw new OperatorError(`cannot listen on ${host} port ${port}: ${reasons[cause.code ?? ''] ?? reasonOf(cause)}`, {
      cause,
    })
  }
