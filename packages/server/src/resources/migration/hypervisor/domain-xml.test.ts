import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dashed, domainXml, escaped, hasWharfMark } from './domain-xml.ts'

const domain = {
  uuid: '0123456789abcdef0123456789abcdef',
  name: 'g1',
  description: null,
  role: 'gateway',
  cpu: 2,
  memoryBytes: 64 * 2 ** 20,
  network: { kind: 'user' },
  boot: { path: '/var/lib/disk.qcow2', device: 'disk' },
  consoleLog: '/var/lib/console.log',
  hasKvm: true,
} as const

const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&apos;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

test('escaped text contains no markup and unescapes to the original', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = escaped(text)
      assert.doesNotMatch(written, /[<>'"]|&(?!(amp|lt|gt|apos|quot|#\d+);)/)
      if (!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) assert.equal(unescaped(written), text)
    }),
  )
})

test('characters that XML cannot represent are replaced', () => {
  assert.equal(escaped('a\u0000b\u001bc\ud800d\uffff'), 'a\ufffdb\ufffdc\ufffdd\ufffd')
})

test('uuids have the notation of libvirt', () => {
  assert.equal(dashed(domain.uuid), '01234567-89ab-cdef-0123-456789abcdef')
})

const rows = [
  {
    name: 'with KVM',
    more: {},
    has: [/<domain type='kvm'>/, /<type arch='x86_64'>/, /device='disk'/, /type='qcow2'/, /interface type='user'/],
  },
  { name: 'without KVM', more: { hasKvm: false }, has: [/<domain type='qemu'>/] },
  {
    name: 'on a network',
    more: { network: { kind: 'network', name: 'default' } },
    has: [/<interface type='network'><source network='default'\/>/],
  },
  {
    name: 'on a bridge',
    more: { network: { kind: 'bridge', name: 'br0' } },
    has: [/<interface type='bridge'><source bridge='br0'\/>/],
  },
  {
    name: 'from an ISO',
    more: { boot: { path: '/a.iso', device: 'cdrom' } },
    has: [/<boot dev='cdrom'\/>/, /<readonly\/>/, /type='raw'/],
  },
  { name: 'of a name with lines', more: { name: 'a\nb' }, has: [/<title>a b<\/title>/] },
] as const
for (const { name, more, has } of rows)
  test(`describes a VM ${name}`, () => {
    const xml = domainXml({ ...domain, ...more } as Parameters<typeof domainXml>[0])
    for (const part of has) assert.match(xml, part)
    assert.match(
      xml,
      /<wharf:vm xmlns:wharf='urn:wharf:migration' uuid='0123456789abcdef0123456789abcdef' role='gateway'\/>/,
    )
  })

const other = 'f'.repeat(32)
const mark = (uuid: string) => `<wharf:vm xmlns:wharf="urn:wharf:migration" uuid="${uuid}" role="gateway"/>`
for (const { name, xml, is } of [
  { name: 'as Wharf writes it', xml: domainXml(domain), is: true },
  { name: 'as libvirt writes it', xml: `<metadata>\n${mark(domain.uuid)}\n</metadata>`, is: true },
  { name: 'without the mark of Wharf', xml: `<domain><uuid>${dashed(domain.uuid)}</uuid></domain>`, is: false },
  { name: 'that is a copy of another VM of Wharf', xml: mark(other), is: false },
  { name: 'that has the mark only in a text', xml: `<title>${escaped(mark(domain.uuid))}</title>`, is: false },
  { name: 'with a mark of another namespace', xml: mark(domain.uuid).replace('urn:wharf', 'urn:wharfs'), is: false },
])
  test(`a VM ${name} is ${is ? '' : 'not '}one that Wharf created`, () =>
    assert.equal(hasWharfMark(domain.uuid, xml), is))
