import { isIP } from 'node:net'
import { refusalOf } from '@wharf/downloads/addresses.ts'
import { hostOf, refusedAddress } from '@wharf/downloads/host-addresses.ts'
import { invalid } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'

/**
 * The address of a webhook is a secret, since it permits writing to the group: no error repeats it. A numeric address is
 * checked here, the addresses of a name when a message is sent.
 */
export function checkedWebhookUrl(text: string, allow: readonly Cidr[]): URL {
  if (/[\s\p{Cc}\p{Zl}\p{Zp}\\]/u.test(text))
    throw invalid('url may not contain spaces, backslashes or control characters')
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    throw invalid('url must be an http:// or https:// address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw invalid('url may not contain a user name or a password')
  const host = hostOf(url)
  if (isIP(host) !== 0 && refusalOf(host, allow) !== undefined) throw refusedAddress(url, host, allow)
  return url
}

/** The part of the address that is not secret. */
export const shownUrl = (url: URL): string => `${url.origin}/…`
