/** The DNS-SD (RFC 6763) service that hosts announce and nodes browse over multicast DNS (RFC 6762). */

export const serviceType = '_wharf-host._tcp.local'

/** The keys of the TXT record. */
export const txtKeys = ['sn', 'manufacturer', 'product', 'id', 'ipv4Interface', 'ipv6Interface'] as const
export type TxtKey = (typeof txtKeys)[number]
export type Txt = { readonly [K in TxtKey]?: string | undefined }

/** RFC 6763, 6.1: the length of a string is one byte. */
export const maxTxtBytes = 255

/** RFC 6762, 3 */
export const multicastPort = 5353
