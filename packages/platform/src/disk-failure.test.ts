import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diskFailure } from './disk-failure.ts'

const thrown = (code: string, errno: number, syscall?: string) =>
  Object.assign(new Error(`${code}: something, at /a/secret/place`), { code, errno, ...(syscall && { syscall }) })

const cases: [what: string, error: unknown, code: string | undefined, words: RegExp][] = [
  ['a full disk', thrown('ENOSPC', -28, 'write'), 'SoftwarePackage.1121', /no space left on device/],
  ['a failing disk', thrown('EIO', -5, 'fsync'), 'SYS.1016', /i\/o error/],
  ['too many open files', thrown('EMFILE', -24, 'open'), 'SYS.1016', /too many open files/],
  ['a missing file', thrown('ENOENT', -2, 'open'), undefined, /^$/],
  ['an error of Wharf with such a code', thrown('EIO', -5), undefined, /^$/],
  ['nothing', undefined, undefined, /^$/],
]

for (const [what, error, code, words] of cases)
  test(`${what} is ${code ?? 'not a disk failure'}`, () => {
    const failure = diskFailure(error)
    assert.equal(failure?.code, code)
    assert.match(failure?.message ?? '', words)
    assert.doesNotMatch(failure?.message ?? '', /secret/)
  })
