import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions, latestRelease } from './release-versions.ts'

/** Each lower than the next; the prereleases are the example of the specification. */
const ascending = [
  '0.0.0',
  '0.0.1-0',
  '0.9.10',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1--',
  '9007199254740993.0.0',
  '9007199254740994.0.0',
]

test('semantic versions are ordered by precedence', () => {
  for (const [index, version] of ascending.entries())
    for (const [other, against] of ascending.entries())
      assert.equal(
        Math.sign(compareVersions(version, against) ?? NaN),
        Math.sign(index - other),
        `${version} ${against}`,
      )
})

test('build metadata has no precedence', () => {
  assert.equal(compareVersions('1.0.0+a', '1.0.0+b.7'), 0)
  assert.equal(compareVersions('1.0.0-rc+a', '1.0.0'), -1)
})

for (const text of [
  '1',
  '1.0',
  'v1.0.0',
  '01.0.0',
  '1.0.0-01',
  '1.0.0-',
  '1.0.0-a..b',
  '1.0.0+',
  ' 1.0.0',
  '2026a',
  '',
])
  test(`${JSON.stringify(text)} is not a semantic version: it equals only itself`, () => {
    assert.equal(compareVersions(text, text), 0)
    assert.equal(compareVersions(text, '1.0.0'), undefined)
    assert.equal(compareVersions('1.0.0', text), undefined)
  })

const latest = (...versions: string[]): string | undefined =>
  latestRelease(versions.map((version) => ({ version })))?.version

test('the latest release is the greatest version, or the last one that was published', () => {
  assert.equal(latest(), undefined)
  assert.equal(latest('1.2.0', '1.10.0', '1.3.0', '2.0.0-rc.1'), '2.0.0-rc.1')
  assert.equal(latest('2.0.0', '2.0.0-rc.1'), '2.0.0')
  assert.equal(latest('1.0.0+a', '1.0.0+b'), '1.0.0+b')
  assert.equal(latest('2026b', '2026a'), '2026a')
  assert.equal(latest('2.0.0', 'edge', '1.0.0'), '1.0.0')
})
