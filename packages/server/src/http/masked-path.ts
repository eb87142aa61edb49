import { isUuid, normalizeUuid } from '@wharf/contract'
import { flatSlice } from '@wharf/platform/flat-slice.ts'
import type { FastifyRequest } from 'fastify'

const maxLength = 500

/** Short words are shown; what is longer, as session ids and tokens are, or has other characters, may be a secret. */
const word = /^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$/

export const maskedWord = (text: string): string => (word.test(text) ? text : '[hidden]')

/** For a path without a route, whose segments have no known meaning. */
export function maskedPath(url: string, mask = maskedWord): string {
  let namesSession = false
  const segments = withoutQuery(url)
    .split('/')
    .map((segment) => {
      const text = unescaped(segment)
      if (text === '') return ''
      const isSession = namesSession
      namesSession = /^sessions?$/i.test(text)
      return isSession ? '[session]' : mask(text)
    })
  return segments.join('/').slice(0, maxLength)
}

/** As the log shows it: the path of a route as it was sent, but for session ids; any other path is masked. */
export function loggedPath({ raw, is404, operation, headers }: FastifyRequest, status: number): string {
  const url = raw.url ?? ''
  if (is404) return maskedPath(url)
  // by the route, or `/s%65ssions/` would be unmasked
  if (operation?.path.includes('/sessions/')) return operation.path.replace(/(\/sessions\/)\{\w+\}/, '$1[session]')
  if (status < 400) return withoutQuery(url).slice(0, maxLength)
  // a client may send its session id instead of a uuid
  const credential = (headers.authorization ?? '').replaceAll('-', '').toLowerCase()
  return maskedPath(url, (text) => {
    const uuid = normalizeUuid(text)
    return isUuid(uuid) && !credential.includes(uuid) ? text : maskedWord(text)
  })
}

function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : flatSlice(url, 0, end)
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
