import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { credentialsOf, isSameServer } from './credentials.ts'

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL
  readonly authorization: string | undefined
}

export const firstHop = (url: URL): Hop => ({ url, authorization: credentialsOf(url) })

/**
 * The request after a response with this `Location`. Credentials are only for the server they were given for: once
 * dropped they stay dropped, and those in a redirect are ignored.
 */
export function nextHop({ url: from, authorization }: Hop, location: string): Hop {
  const text = asUtf8(location)
  const to = URL.canParse(text, from) ? new URL(text, from) : undefined
  if (to === undefined) throw new ApiError('SYS.1015', `${from.origin} redirects to an invalid address`)
  if (to.protocol !== 'http:' && to.protocol !== 'https:')
    throw invalid(`${from.origin} redirects to an address of ${to.protocol}, but only http: and https: are followed`)
  return { url: to, authorization: isSameServer(from, to) ? authorization : undefined }
}

/** Node decodes header values as Latin-1; browsers read them as UTF-8. */
const asUtf8 = (header: string): string => Buffer.from(header, 'latin1').toString('utf8')
