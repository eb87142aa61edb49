import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, errorCatalogue } from '@wharf/contract'
import { errorTitle } from './error-titles.ts'

test('the title of every error is in the language of the user', () => {
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { description } = errorCatalogue[code]
    assert.equal(errorTitle({ code, description }, 'en'), `${code} · ${description}`)
    assert.match(errorTitle({ code, description }, 'zh'), /\p{Script=Han}{2}/u, code)
  }
  const unknown = { code: 'SYS.9999' as ErrorCode, description: 'of a newer server' }
  assert.equal(errorTitle(unknown, 'zh'), 'SYS.9999 · of a newer server')
})
