/** How a host makes itself known: DNS-SD (RFC 6763) over multicast DNS (RFC 6762). Both sides go by these words. */

export const serviceType = '_wharf-host._tcp.local'

/** What the TXT record may carry. */
export const txtKeys = ['sn', 'manufacturer', 'product', 'id', 'ipv4Interface', 'ipv6Interface'] as const
export type TxtKey = (typeof txtKeys)[number]
export type Txt = { readonly [K in TxtKey]?: string | undefined }

/** RFC 6763, 6.1: one byte tells the length of a string. */
export const maxTxtBytes = 255

/** RFC 6762, 3 */
export const multicastPort = 5353
