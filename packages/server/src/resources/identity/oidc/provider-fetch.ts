import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { trustWith } from '@wharf/downloads/trusted-roots.ts'
import type { CustomFetch } from 'openid-client'

const maxResponseBytes = 1024 * 1024

/** `fetch` that trusts WHARF_CA_FILE too, follows no redirects and reads at most 1 MiB. */
export const providerFetch =
  (caFile: string | undefined): CustomFetch =>
  (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const isSecure = url.startsWith('https:')
      const trust = isSecure && caFile !== undefined ? { secureContext: trustWith(caFile) } : {}
      const abort = signal === undefined ? {} : { signal }
      const send = isSecure ? httpsRequest : httpRequest
      const outgoing = send(
        url,
        { ...trust, ...abort, method, headers: { ...headers, connection: 'close' } },
        (answer) => {
          const chunks: Buffer[] = []
          let length = 0
          answer.on('data', (chunk: Buffer) => {
            length += chunk.length
            if (length > maxResponseBytes) answer.destroy(new Error('the response is larger than 1 MiB'))
            else chunks.push(chunk)
          })
          answer.on('error', reject)
          answer.on('end', () => {
            const status = answer.statusCode ?? 502
            const hasBody = status !== 204 && status !== 304
            const names = answer.headersDistinct
            const received = Object.entries(names).map(([name, values = []]): [string, string] => [
              name,
              values.join(', '),
            ])
            resolve(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: received }))
          })
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body === null || body === undefined ? undefined : textOf(body))
    })

/** The library sends forms only. */
const textOf = (body: unknown): string => String(body)
