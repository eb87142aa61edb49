/**
 * `postgres://user@one:5432,two:5432/wharf`, as libpq writes it → one address for each server, in this order.
 * A socket has no host before the path: `postgres://user@/wharf?host=/run/postgresql`.
 */
export function postgresAddresses(url: string): string[] {
  const [, before = '', servers = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  // Wharf always needs a server that accepts writes
  const query = rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, first, last) => (last === '&' ? first : ''))
  return servers.split(',').map((server) => `${before}${server}${query}`)
}

/** The driver lets `options` of an address replace the given ones; appended, those of the address override them one by one. */
export function withOptions(address: string, options: string): string {
  const given = encodeURIComponent(`${options} `)
  if (/[?&]options=/.test(address)) return address.replace(/([?&]options=)/, `$1${given}`)
  return `${address}${address.includes('?') ? '&' : '?'}options=${given}`
}
