import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { parseCidr } from '@wharf/platform/cidr.ts'
import { openDownload } from './download.ts'
import type { Resolve } from './host-addresses.ts'
import { parsePackageUrl } from './package-url.ts'
import {
  allowedAddress,
  downloadOptions,
  refusedAddress,
  startSource,
  type TestSource,
  until,
} from './testing/source.ts'

const names: Record<string, readonly string[]> = {
  'good.test': [allowedAddress],
  'good.test.': [allowedAddress],
  'bad.test': [refusedAddress],
  'bad.test.': [refusedAddress],
  'both.test': [refusedAddress, allowedAddress],
  'all-bad.test': ['169.254.169.254', refusedAddress, '::1'],
  'mapped.test': ['::ffff:127.0.0.3'],
  'mapped-good.test': ['::ffff:127.0.0.2'],
  'zone.test': ['fe80::1%1'],
  'odd.test': ['2130706433'],
  'metadata.test': ['169.254.169.254'],
  'metadata6.test': ['fd00:ec2::254'],
  'aliyun.test': ['100.100.100.200'],
  'azure.test': ['168.63.129.16'],
  'unspecified.test': ['0.0.0.0'],
  'nat64.test': ['64:ff9b::7f00:3'],
  '127.0.0.1.nip.test': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  '127.0.0.1..': ['127.0.0.1'],
  'xn--fiq228c.test': ['127.0.0.3'],
  unresolved: [],
}
const resolve: Resolve = async (name) => {
  const found = names[name]
  if (found === undefined) throw Object.assign(new Error('queryA'), { code: 'ENOTFOUND' })
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

const answer: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '', 'http://source')
  const to = url.searchParams.get('to')
  const left = Number(url.searchParams.get('left') ?? 0)
  if (to !== null) response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end('moved')
  else if (left > 0) response.writeHead(307, { location: `/?left=${left - 1}` }).end()
  else response.end(`auth=${request.headers.authorization ?? 'none'} host=${request.headers.host}`)
}

/** The result of a download from URL text to bytes, as one line. */
async function tryUrl(source: TestSource, url: string, use: Resolve = resolve): Promise<string> {
  const target = url.replaceAll('{port}', String(source.port))
  try {
    const parsed = parsePackageUrl(target, { maxBytes: 1000 })
    assert.ok(parsed.kind === 'http')
    const { stream } = await openDownload(parsed.url, downloadOptions({ resolve: use }))
    return `served ${(await text(stream)).replaceAll(String(source.port), '{port}')}`
  } catch (error) {
    const { code, status, message } = error as Error & { code: string; status: number }
    assert.doesNotMatch(message, /secret/)
    return `${status} ${code} ${message}`
  } finally {
    const beside = source.reached.filter((address) => address !== allowedAddress)
    assert.deepEqual(beside, [], 'only the allowed address was connected to')
  }
}

/** The source at the allowed address, which redirects there. */
const to = (location: string): string => `http://${allowedAddress}:{port}/?to=${inQuery(location)}`
const inQuery = (text: string): string => text.split('{port}').map(encodeURIComponent).join('{port}')
const refused = (rule: string): RegExp => new RegExp(`^400 SYS\\.1007 url leads to .*: ${rule}, which is reached only`)
const loopback = refused('a loopback address')
const linkLocal = refused('a link-local address')
const metadata = refused('a cloud metadata address')
const unspecified = refused('an unspecified address')
const multicast = refused('a multicast address')
const broadcast = refused('the broadcast address')
const invalid = /^400 SYS\.1007 url is not a valid/
const served = /^served auth=none/

const rows: [url: string, outcome: RegExp][] = [
  ['http://127.0.0.2:{port}/', served],
  ['http://2130706434:{port}/', served],
  ['http://good.test:{port}/', served],
  ['http://GOOD.test:{port}/', served],
  ['http://good.test.:{port}/', served],
  ['http://both.test:{port}/', served],
  ['http://mapped-good.test:{port}/', served],
  ['http://127.0.0.3@127.0.0.2:{port}/', /^served auth=Basic/],
  ['http://u:secret@good.test:{port}/', /^served auth=Basic dTpzZWNyZXQ= host=good\.test:\{port\}$/],

  ['http://127.0.0.3:{port}/', loopback],
  ['http://127.0.0.1:{port}/', loopback],
  ['http://127.1:{port}/', loopback],
  ['http://127.0.1:{port}/', loopback],
  ['http://2130706433:{port}/', loopback],
  ['http://017700000001:{port}/', loopback],
  ['http://0x7f000001:{port}/', loopback],
  ['http://0X7F000001:{port}/', loopback],
  ['http://0177.0.0.1:{port}/', loopback],
  ['http://0x7f.0.0.1:{port}/', loopback],
  ['http://0x7f.1:{port}/', loopback],
  ['http://127.0x0.00.3:{port}/', loopback],
  ['http://00000177.0.0.1:{port}/', loopback],
  ['http://127.0.0.1.:{port}/', loopback],
  ['http://127.0.0.1..:{port}/', loopback],
  ['http://127%2e0%2e0%2e1:{port}/', loopback],
  ['http://%31%32%37.0.0.1:{port}/', loopback],
  ['http://１２７.０.０.１:{port}/', loopback],
  ['http://①②⑦.⓪.⓪.①:{port}/', loopback],
  ['http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:{port}/', loopback],
  ['http://127。0。0。1:{port}/', loopback],
  ['http://127．0．0．1:{port}/', loopback],
  ['http://127.0.0.\u00ad1:{port}/', loopback],
  ['http://localhost:{port}/', loopback],
  ['http://LocalHost:{port}/', loopback],
  ['http://localhost.:{port}/', loopback],
  ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/', loopback],
  ['http://[::1]:{port}/', loopback],
  ['http://[0:0:0:0:0:0:0:1]:{port}/', loopback],
  ['http://[0000::0001]:{port}/', loopback],
  ['http://[::ffff:127.0.0.1]:{port}/', loopback],
  ['http://[::ffff:7f00:1]:{port}/', loopback],
  ['http://[::FFFF:7F00:0003]:{port}/', loopback],
  ['http://[0:0:0:0:0:ffff:127.0.0.3]:{port}/', loopback],
  ['http://[::127.0.0.1]:{port}/', loopback],
  ['http://[::ffff:0:127.0.0.1]:{port}/', loopback],
  ['http://[64:ff9b::127.0.0.1]:{port}/', loopback],
  ['http://[2002:7f00:1::]:{port}/', loopback],
  ['http://[2001:0:c000:221:8000:ffff:80ff:fffe]:{port}/', loopback],
  ['http://bad.test:{port}/', loopback],
  ['http://bad.test.:{port}/', loopback],
  ['http://mapped.test:{port}/', loopback],
  ['http://nat64.test:{port}/', loopback],
  ['http://127.0.0.1.nip.test:{port}/', loopback],
  ['http://中文.test:{port}/', loopback],
  ['https://127.0.0.1:{port}/', loopback],
  ['https://bad.test:{port}/', loopback],
  ['http://127.0.0.1/', loopback],
  ['http://127.0.0.1:0/', loopback],
  ['http://127.0.0.1:22/', loopback],
  ['http://127.0.0.1:65535/', loopback],
  ['http://127.0.0.2@127.0.0.3:{port}/', loopback],
  ['http://127.0.0.2:80@127.0.0.3:{port}/', loopback],
  ['http://good.test%2F@bad.test:{port}/', loopback],
  ['http://good.test%23@bad.test:{port}/', loopback],
  ['http://u:secret@bad.test:{port}/?secret', loopback],
  ['http://127.0.0.3:{port}/#@127.0.0.2/', loopback],
  ['http://127.0.0.3:{port}?@127.0.0.2/', loopback],

  ['http://169.254.1.1/', linkLocal],
  ['http://0xa9fe0101/', linkLocal],
  ['http://2851995905/', linkLocal],
  ['http://025177400401/', linkLocal],
  ['http://169.254.257/', linkLocal],
  ['http://[fe80::1]/', linkLocal],
  ['http://[febf:ffff::1]/', linkLocal],
  ['http://[::ffff:169.254.1.1]/', linkLocal],
  ['http://[::ffff:a9fe:0101]/', linkLocal],
  ['http://169.254.169.254/latest/meta-data/', metadata],
  ['http://2852039166/', metadata],
  ['http://0xA9.0xFE.0xA9.0xFE/', metadata],
  ['http://0251.0376.0251.0376/', metadata],
  ['http://169.254.43518/', metadata],
  ['http://[::ffff:169.254.169.254]/', metadata],
  ['http://[64:ff9b::a9fe:a9fe]/', metadata],
  ['http://[2002:a9fe:a9fe::]/', metadata],
  ['http://[fd00:ec2::254]/', metadata],
  ['http://[fd00:0ec2:0000::0.0.2.84]/', metadata],
  ['http://100.100.100.200/', metadata],
  ['http://168.63.129.16/', metadata],
  ['http://metadata.test/', metadata],
  ['http://metadata6.test/', metadata],
  ['http://aliyun.test/', metadata],
  ['http://azure.test/', metadata],
  ['http://all-bad.test/', metadata],
  ['http://0/', unspecified],
  ['http://0.0.0.0:{port}/', unspecified],
  ['http://0x0:{port}/', unspecified],
  ['http://0x:{port}/', unspecified],
  ['http://000.1:{port}/', unspecified],
  ['http://[::]:{port}/', unspecified],
  ['http://[::ffff:0:0]:{port}/', unspecified],
  ['http://unspecified.test:{port}/', unspecified],
  ['http://224.0.0.251/', multicast],
  ['http://[ff02::1]/', multicast],
  ['http://4294967295/', broadcast],
  ['http://[64:ff9b:1::7f00:1]/', refused('a locally translated address')],
  ['http://zone.test/', refused('not a plain IP address')],
  ['http://odd.test/', refused('not a plain IP address')],

  ['http://[fe80::1%25lo]/', invalid],
  ['http://[::1%lo]/', invalid],
  ['http://4294967296/', invalid],
  ['http://127.0.0.256/', invalid],
  ['http://1.2.3.4.5/', invalid],
  ['http://0x7f.0.0.0x100/', invalid],
  ['http://127.0.0.08/', invalid],
  ['http://127.0.0.1%00.good.test/', invalid],
  ['http://[127.0.0.1]/', invalid],
  ['http://good.test:{port}:{port}/', invalid],
  ['http://good.test\\@bad.test:{port}/', /^400 SYS\.1007 .*backslash/],
  ['http:///127.0.0.1:{port}/', /^400 SYS\.1007 .*third slash/],
  ['http://unknown.test/', /^502 SYS\.1015 .*the name is not known to DNS$/],
  ['http://unresolved/', /^502 SYS\.1015 .*the name has no address in DNS$/],

  [to('http://127.0.0.2:{port}/'), served],
  [to('//good.test:{port}/'), served],
  [to('http://127.0.0.3:{port}/'), loopback],
  [to('http://2130706433:{port}/'), loopback],
  [to('//[::ffff:127.0.0.1]:{port}/'), loopback],
  [to('//127.1:{port}'), loopback],
  [to('http://bad.test:{port}/'), loopback],
  [to('http://127.0.0.2@127.0.0.3:{port}/'), loopback],
  [to('http://good.test:{port}\\@bad.test:{port}/'), served],
  [to('https://127.0.0.3:{port}/'), loopback],
  [to('http://169.254.169.254/'), metadata],
  [to('http://0:{port}/'), unspecified],
  [to('file:///etc/passwd'), /^400 SYS\.1007 .*only http: and https: are followed$/],
  [to('ftp://127.0.0.1/'), /^400 SYS\.1007 .*only http: and https: are followed$/],
  [to('http://127.0.0.256/'), /^502 SYS\.1015 .*invalid address$/],
  [to(to('http://127.0.0.3:{port}/')), loopback],
  [`${to('http://127.0.0.3:{port}/')}&status=301`, loopback],
  [`${to('http://127.0.0.3:{port}/')}&status=303`, loopback],
  [`${to('http://127.0.0.3:{port}/')}&status=307`, loopback],
  [`${to('http://127.0.0.3:{port}/')}&status=308`, loopback],
  [`${to('http://127.0.0.3:{port}/')}&status=300`, /^502 SYS\.1015 .*answered 300/],
  [`${to('http://127.0.0.3:{port}/')}&status=304`, /^502 SYS\.1015 .*answered 304/],
  ['http://good.test:{port}/?left=5', served],
  ['http://good.test:{port}/?left=6', /^502 SYS\.1015 .*more than 5 times$/],
  ['http://u:secret@good.test:{port}/?left=2', /^served auth=Basic/],
  [to('http://good.test:{port}/').replace('//', '//u:secret@'), served],
  [to('http://x:y@good.test:{port}/'), served],
]

test(`checks each of ${rows.length} addresses when it connects`, async (t) => {
  const source = await startSource(t, answer)
  for (const [url, outcome] of rows) assert.match(await tryUrl(source, url), outcome, url)
})

/** A name server with another response every time. */
function changing(...answers: string[]): { resolve: Resolve; lookups: () => number } {
  let lookups = 0
  const next: Resolve = async () => [{ address: answers[lookups++] ?? '127.0.0.1', family: 4 }]
  return { resolve: next, lookups: () => lookups }
}

test('resolves a name once per connection, so that the result cannot change in between', async (t) => {
  const { resolve, lookups } = changing(allowedAddress, refusedAddress)
  assert.match(await tryUrl(await startSource(t, answer), 'http://changes.test:{port}/', resolve), served)
  assert.equal(lookups(), 1)
})

test('refuses a name whose address has changed at the next redirect', async (t) => {
  const { resolve, lookups } = changing(allowedAddress, allowedAddress, refusedAddress)
  assert.match(await tryUrl(await startSource(t, answer), 'http://changes.test:{port}/?left=2', resolve), loopback)
  assert.equal(lookups(), 3)
})

test('the address of the connection decides, even where another one is admitted', async (t) => {
  const source = await startSource(t, answer)
  // the system connects the unspecified address to loopback
  const options = downloadOptions({ allow: [parseCidr('0.0.0.0') ?? assert.fail()] })
  const work = openDownload(new URL(`http://0.0.0.0:${source.port}/`), options)
  await assert.rejects(work, { code: 'SYS.1007', message: /0\.0\.0\.0, that is 127\.0\.0\.1: a loopback address/ })
  await until(() => source.sockets.size === 0)
})
