import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstHop, nextHop } from './redirects.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('user and password become Basic, percent-decoded, as UTF-8', () => {
  const rows: [url: string, sent: string | undefined][] = [
    ['http://h/', undefined],
    ['http://@h/', undefined],
    ['http://u:p@h/', basic('u:p')],
    ['http://u@h/', basic('u:')],
    ['http://:p@h/', basic(':p')],
    ['http://u:a%3Ab%40c%2F@h/', basic('u:a:b@c/')],
    ['http://%E4%B8%AD:%F0%9F%94%91@h/', basic('中:🔑')],
  ]
  for (const [url, sent] of rows) assert.equal(firstHop(new URL(url)).authorization, sent, url)
})

test('credentials follow a redirect on the same server only', () => {
  const rows: [from: string, location: string, to: string, follow: boolean][] = [
    ['http://u:p@h/a', '/b', 'http://h/b', true],
    ['http://u:p@h/a/b', '../c?d', 'http://h/c?d', true],
    ['http://u:p@h/a', 'http://h/b', 'http://h/b', true],
    ['http://u:p@h/a', 'http://H:80/b', 'http://h/b', true],
    ['http://u:p@h/a', 'https://h/b', 'https://h/b', true],
    ['https://u:p@h/a', 'http://h/b', 'http://h/b', false],
    ['http://u:p@h/a', 'http://h:8080/b', 'http://h:8080/b', false],
    ['http://u:p@h:8080/a', 'https://h:8080/b', 'https://h:8080/b', false],
    ['http://u:p@h:8080/a', 'https://h/b', 'https://h/b', false],
    ['http://u:p@h/a', 'https://h:8443/b', 'https://h:8443/b', false],
    ['http://u:p@h/a', '//other/b', 'http://other/b', false],
    ['http://u:p@h/a', 'http://h.other/b', 'http://h.other/b', false],
    ['http://u:p@h/a', 'http://h@other/b', 'http://h@other/b', false],
    ['http://u:p@h/a', 'http://h./b', 'http://h./b', false],
    ['http://u:p@h/a', 'http://x:y@other/b', 'http://x:y@other/b', false],
    ['http://u:p@h/a', 'http://x:y@h/b', 'http://x:y@h/b', true],
  ]
  for (const [from, location, to, follow] of rows) {
    const hop = nextHop(firstHop(new URL(from)), location)
    assert.equal(hop.url.href.replace('u:p@', ''), to, `${from} → ${location}`)
    assert.equal(hop.authorization, follow ? basic('u:p') : undefined, `${from} → ${location}`)
  }
})

test('dropped credentials stay dropped, and no others replace them', () => {
  const away = nextHop(firstHop(new URL('http://u:p@h/a')), 'http://x:y@other/b')
  assert.equal(away.authorization, undefined)
  assert.equal(nextHop(away, 'http://u:p@h/a').authorization, undefined)
})

test('follows redirects only to http and https addresses', () => {
  const from = firstHop(new URL('https://u:secret@h/a?token=secret'))
  const rows: [location: string, code: string][] = [
    ['file:///etc/passwd', 'SYS.1007'],
    ['ftp://h/x', 'SYS.1007'],
    ['gopher://h/x', 'SYS.1007'],
    ['data:,x', 'SYS.1007'],
    ['javascript:x', 'SYS.1007'],
    ['upload://x', 'SYS.1007'],
    ['http://', 'SYS.1015'],
    ['http://h:99999/', 'SYS.1015'],
    ['//[::1', 'SYS.1015'],
  ]
  for (const [location, code] of rows) {
    assert.throws(
      () => nextHop(from, location),
      (error: Error & { code: string }) => error.code === code && !error.message.includes('secret'),
      location,
    )
  }
})

test('reads a location in UTF-8', () => {
  const header = Buffer.from('/中').toString('latin1')
  assert.equal(nextHop(firstHop(new URL('http://h/')), header).url.pathname, '/%E4%B8%AD')
})
