import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Announced, checkResumeKey, readAnnounced } from './announced-digests.ts'

const md5 = '0123456789abcdef0123456789abcdef'
const sha256 = md5 + md5
const tag = (key: string): string => `uploadSoftwarePackage::${key}`

const rows: { name: string; tags: string[]; url?: string; expected: Announced }[] = [
  { name: 'nothing', tags: ['other::x'], expected: { digests: {}, resumeKey: undefined } },
  { name: 'an MD5', tags: [tag(md5)], expected: { digests: { md5 }, resumeKey: md5 } },
  { name: 'a SHA-256', tags: [tag(sha256)], expected: { digests: { sha256 }, resumeKey: sha256 } },
  { name: 'capitals', tags: [tag(md5.toUpperCase())], expected: { digests: { md5 }, resumeKey: md5 } },
  { name: 'braces', tags: [tag(`{${sha256.toUpperCase()}}`)], expected: { digests: { sha256 }, resumeKey: sha256 } },
  { name: 'both', tags: [tag(sha256), tag(md5)], expected: { digests: { md5, sha256 }, resumeKey: sha256 } },
  { name: 'one twice', tags: [tag(md5), tag(`{${md5}}`)], expected: { digests: { md5 }, resumeKey: md5 } },
  {
    name: 'a key and a digest',
    tags: [tag('my file'), tag(md5)],
    expected: { digests: { md5 }, resumeKey: 'my file' },
  },
  { name: 'the MD5 in the URL', tags: [tag('k')], url: md5, expected: { digests: { md5 }, resumeKey: 'k' } },
  ...['{my file}', md5.slice(1), `${md5}0`, `{{${md5}}}`, ` ${md5}`, `${md5.slice(1)}g`, '{}', ''].map((key) => ({
    name: `only a key: ${JSON.stringify(key)}`,
    tags: [tag(key)],
    expected: { digests: {}, resumeKey: key },
  })),
]
for (const { name, tags, url, expected } of rows)
  test(`reads ${name}`, () => assert.deepEqual(readAnnounced(tags, { md5: url }), expected))

test('refuses digests that contradict each other, and names both', () => {
  const other = 'f'.repeat(32)
  for (const read of [() => readAnnounced([tag(md5), tag(other)]), () => readAnnounced([tag(other)], { md5 })])
    assert.throws(read, (error: Error & { code: string }) => {
      assert.equal(error.code, 'SYS.1007')
      return error.message.includes(md5) && error.message.includes(other)
    })
})

test('a resume key has 1 to 128 printable characters', () => {
  for (const key of [undefined, 'a', 'x'.repeat(128), sha256]) checkResumeKey(key)
  for (const key of ['', 'x'.repeat(129), 'a\tb', 'ü']) assert.throws(() => checkResumeKey(key), { code: 'SYS.1007' })
})
