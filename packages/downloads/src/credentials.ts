import { invalid } from '@wharf/platform/api-error.ts'

/** The value of `Authorization` for the user and password in an address; undefined when it has none. */
export function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const [user, secret] = [decoded(username), decoded(password)]
  // RFC 7617: the first colon ends the user
  if (user.includes(':') || /\p{Cc}/u.test(user + secret))
    throw invalid('the user in url must not contain a colon, nor user and password control characters')
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}

/** The same server, or its https form: credentials for one may be sent to the other. */
export function isSameServer(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return isUpgrade || (from.protocol === to.protocol && from.port === to.port)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('user and password in url must be percent-encoded UTF-8')
  }
}
