import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileSyncs } from './file-syncs.ts'
import { syncEveryBytes } from './limits.ts'

test('a failed sync during the upload fails its final sync, although the disk would report success', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-syncs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const syncs = new FileSyncs()
  const path = join(folder, 'upload')
  syncs.soon(path, syncEveryBytes)
  // syncs run one after the other, so this one waits for it
  await assert.rejects(syncs.now(path, folder), { code: 'ENOENT' })
  writeFileSync(path, 'as if it had been there')
  await assert.rejects(syncs.now(path, folder), { code: 'ENOENT' })
  syncs.forget(path)
  await syncs.now(path, folder)
})
