import {
  deviceAuthorizationPath,
  deviceClientId,
  deviceGrantType,
  deviceTokenPath,
  type Role,
  roles,
} from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withSource } from '../audit/audit-source.ts'
import { GrantError } from '../resources/identity/device-logins/grant-error.ts'
import type { DeviceLoginService } from '../resources/identity/device-logins/service.ts'
import type { AuditedCalls } from './audited-call.ts'
import { requestBaseUrl } from './request-base-url.ts'
import { userAgentOf } from './user-agent.ts'

export const devicePaths = [deviceAuthorizationPath, deviceTokenPath].map((path) => ({ method: 'POST', path }))

/** Both forms have a few short fields. */
const maxFormBytes = 8192
const maxClientName = 255

interface DeviceGrantDeps {
  readonly deviceLogins: DeviceLoginService
  readonly auditedCalls: AuditedCalls
  readonly clock: Clock
  readonly settings: { readonly basePath: string; readonly publicUrl?: string | undefined }
  readonly draining: AbortSignal
}

/** The endpoints of RFC 8628. Forms and answers are those of OAuth, so they are not operations of the contract. */
export function registerDeviceGrant(app: FastifyInstance, deps: DeviceGrantDeps): void {
  const { deviceLogins, auditedCalls, clock, settings, draining } = deps

  const answer =
    (operation: string, respond: (request: FastifyRequest, form: Form) => Promise<object>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (draining.aborted) throw new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 })
      reply.header('content-type', 'application/json;charset=UTF-8').header('cache-control', 'no-store')
      try {
        const form = new Form(request.body)
        if (form.require('client_id') !== deviceClientId)
          throw new GrantError('invalid_client', `client_id must be ${deviceClientId}`)
        const source = auditedCalls.open(request, operation)
        return reply.send(JSON.stringify(await withSource(source, () => respond(request, form))))
      } catch (error) {
        if (!(error instanceof GrantError)) throw error
        return reply.code(error.status).send(JSON.stringify({ error: error.error, error_description: error.message }))
      }
    }

  const authorize = answer('RequestDeviceLogin', async (request, form) => {
    const { deviceCode, userCode, ...times } = await deviceLogins.request({
      clientName: readClientName(form.get('client_name')),
      client: userAgentOf(request),
      address: request.ip,
      requestedRole: readRole(form.get('scope')),
    })
    const page = `${requestBaseUrl(request, settings)}/#/account/device`
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${userCode}`,
      expires_in: times.expiresInSeconds,
      interval: times.intervalSeconds,
    }
  })

  const redeem = answer('RedeemDeviceLogin', async (_request, form) => {
    if (form.require('grant_type') !== deviceGrantType)
      throw new GrantError('unsupported_grant_type', `grant_type must be ${deviceGrantType}`)
    const key = await deviceLogins.redeem(form.require('device_code'))
    return {
      access_token: key.secret,
      token_type: 'urn:wharf:access-key',
      expires_in: Math.floor(((key.expiresDate ?? 0) - clock.now()) / 1000),
      scope: key.role,
      access_key_id: key.AccessKeyID,
      access_key_uuid: key.uuid,
      account_uuid: key.accountUuid,
      user_uuid: key.userUuid,
    }
  })

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, done) => done(null, body),
    )
    // another type is answered in the form of OAuth, too
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, _body, done) =>
      done(null),
    )
    scope.post(deviceAuthorizationPath, authorize)
    scope.post(deviceTokenPath, redeem)
  })
}

/** RFC 6749, section 3.2: an empty parameter is absent, and none may be repeated. */
class Form {
  readonly #parameters: URLSearchParams

  constructor(body: unknown) {
    if (typeof body !== 'string')
      throw new GrantError('invalid_request', 'send the parameters as application/x-www-form-urlencoded')
    this.#parameters = new URLSearchParams(body)
  }

  get(name: string): string | undefined {
    const [value, ...others] = this.#parameters.getAll(name)
    if (others.length > 0) throw new GrantError('invalid_request', `${name} is repeated`)
    return value || undefined
  }

  require(name: string): string {
    const value = this.get(name)
    if (value === undefined) throw new GrantError('invalid_request', `${name} is missing`)
    return value
  }
}

function readRole(scope: string | undefined): Role | null {
  if (scope === undefined) return null
  const role = roles.find((one) => one === scope)
  if (role === undefined) throw new GrantError('invalid_scope', `scope must be a role: ${roles.join(', ')}`)
  return role
}

/** The user reads it on the page that confirms: no line breaks, nothing that changes the direction of text. */
function readClientName(given: string | undefined): string | null {
  const name = given
    ?.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, maxClientName)
  return name || null
}
