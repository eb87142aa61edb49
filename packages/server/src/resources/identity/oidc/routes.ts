import { oidcCallbackPath, oidcLogoutPath } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditSource, withSource } from '../../../audit/audit-source.ts'
import type { OidcLogouts } from './logouts.ts'

/** The addresses that are registered with a provider. Not operations of the contract: OpenID Connect defines them. */
export const oidcPaths = [
  { method: 'GET', path: oidcCallbackPath },
  { method: 'POST', path: oidcLogoutPath },
]

const maxBodyBytes = 64 * 1024
const formType = 'application/x-www-form-urlencoded'

interface OidcRouteDeps {
  readonly logouts: OidcLogouts
  readonly auditedCalls: { open(request: FastifyRequest, operation: string): AuditSource }
  readonly draining: AbortSignal
}

export function registerOidc(app: FastifyInstance, { logouts, auditedCalls, draining }: OidcRouteDeps): void {
  // the console finishes the sign-in; what follows # is sent to no server, and the code is of use to this browser only
  app.get<{ Params: { provider: string } }>(routerPath(oidcCallbackPath), async ({ params, query }, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(
        `../../../#/sign-in/${encodeURIComponent(params.provider)}?${escapedQuery((query as { raw: string }).raw)}`,
        302,
      ),
  )
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    scope.route<{ Params: { provider: string } }>({
      method: 'POST',
      url: routerPath(oidcLogoutPath),
      onRequest: async () => {
        if (draining.aborted) throw new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 })
      },
      handler: async (request, reply) => {
        const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null
        if (token === null) throw invalid(`logout_token is missing: send it as ${formType}`)
        await withSource(auditedCalls.open(request, 'OidcLogout'), () => logouts.accept(request.params.provider, token))
        return reply.code(200).header('cache-control', 'no-store').send()
      },
    })
  })
}

const routerPath = (path: string): string => path.replace('{provider}', ':provider')

/** As part of a header, whatever the provider or somebody else has sent. */
const escapedQuery = (query: string): string => new URLSearchParams(query).toString().slice(0, 8192)
