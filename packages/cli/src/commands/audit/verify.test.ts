import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshHome, runCaptured } from '../../testing/captured-io.ts'
import { entryTime, generateTrail, linesOf } from '../../testing/generated-trail.ts'

test('wharf audit verify works on files alone', async (t) => {
  const home = freshHome(t)
  const trail = generateTrail(12, 5)
  const at = (name: string): string => join(home, name)
  const write = (name: string, lines: readonly string[]): string => {
    writeFileSync(at(name), `${lines.join('\n')}\n`)
    return at(name)
  }
  const digestLines = trail.digests.map((digest) => JSON.stringify(digest))
  const lines = linesOf(trail.entries)
  const key = write('key.pem', [trail.publicKey.export({ type: 'spki', format: 'pem' }).toString()])
  const whole = write('whole.ndjson', lines)
  write('whole.ndjson.digests', digestLines)
  const edited = write(
    'edited.ndjson',
    lines.map((line, index) => (index === 6 ? line.replace('"admin"', '"nobody"') : line)),
  )
  const limited = write('limited.ndjson', lines.slice(2, 11))
  mkdirSync(at('digests'))
  for (const [index, line] of digestLines.entries()) write(`digests/audit-digest-${index}.json`, [line])
  write('digests/notes.txt', ['not a digest'])
  const verify = (file: string, ...options: string[]) =>
    runCaptured(['audit', 'verify', file, '--key', key, ...options], { home })

  const success = `Valid: entries 1 to 10 are complete and unchanged, proven by 2 digests, the last one of ${entryTime(11)}.
Not proven: entries 11 to 12, whose digest is not in the export yet.
`
  assert.deepEqual(await verify(whole), { code: 0, stdout: success, stderr: '' })
  assert.equal((await verify(whole, '--digests', at('digests'))).stdout, success)
  const piped = ['audit', 'verify', '-', '--key', key, '--digests', at('digests')]
  assert.equal((await runCaptured(piped, { home, input: lines.join('\n') })).stdout, success)
  const answer = write('answer.json', [JSON.stringify({ inventories: trail.digests }, undefined, 2)])
  assert.equal((await verify(whole, '--digests', answer)).stdout, success)

  const failure = await verify(edited, '--digests', at('digests'))
  assert.equal(failure.code, 1)
  assert.match(failure.stdout, /^7: entry 7 was changed or moved: .*\n$/)
  assert.equal(failure.stderr, 'error: the export does not match its digests: 1 problem\n')
  const json = JSON.parse((await verify(edited, '--digests', at('digests'), '--json')).stdout)
  assert.partialDeepStrictEqual(json, { isValid: false, problemCount: 1, problems: [{ seq: 7 }] })

  const unlimited = await verify(limited, '--digests', at('digests'))
  assert.match(unlimited.stdout, /^1: entries 1 to 2 are missing, although no digest states .*\n$/)
  assert.match(unlimited.stderr, /if the export was limited by --from or --to, pass the same times/)
  const period = ['--from', entryTime(3), '--to', entryTime(12)]
  const { code, stdout } = await verify(limited, '--digests', at('digests'), ...period)
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^Valid: entries 4 to 10 .*\nNot in the export: entries 1 to 2, before its period\.\nNot proven: entry 3, .*\n/,
  )

  const older = generateTrail(12, 5, undefined, {})
  const olderKey = write('older.pem', [older.publicKey.export({ type: 'spki', format: 'pem' }).toString()])
  write(
    'older.ndjson.digests',
    older.digests.map((digest) => JSON.stringify(digest)),
  )
  const unstated = await verify(write('older.ndjson', linesOf(older.entries.slice(5))), '--key', olderKey)
  assert.equal(unstated.code, 0)
  assert.match(
    unstated.stdout,
    /^Valid: entries 6 to 10 .*\nNot proven: entries 1 to 5, which are not in the export: .* of an older version .*\nNot proven: entries 11/,
  )

  for (const [argv, message] of [
    [[edited], /edited\.ndjson\.digests does not exist/],
    [[at('absent'), '--digests', at('digests')], /absent does not exist/],
    [[at('absent')], /absent does not exist/],
    [[whole, '--digests', whole], /whole\.ndjson is not a file of digests/],
    [[whole, '--key', whole], /is not an Ed25519 public key in PEM/],
    [[whole, '--key', at('absent.pem')], /the key \S+absent\.pem cannot be read: ENOENT/],
    [
      [write('a.csv', ['uuid,seq,startDate', 'x,1,y'])],
      /a\.csv is in CSV: only an export in NDJSON can be verified\n.*wharf audit export FILE/,
    ],
    [[write('a.ocsf', ['{"category_uid":6,"class_uid":6003}'])], /a\.ocsf is in OCSF: only an export in NDJSON/],
    [[whole, '--from', 'yesterday'], /invalid --from yesterday: expected a time/],
  ] as const) {
    const [file, ...options] = argv
    const refused = await verify(file, ...options)
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, message)
  }
})

test('wharf audit export names a folder that does not exist, before it connects', async (t) => {
  const home = freshHome(t)
  const file = join(home, 'no-such-folder', 'audit.ndjson')
  const { code, stderr } = await runCaptured(['audit', 'export', file], { home })
  assert.equal(code, 2)
  assert.match(stderr, /the folder \S+no-such-folder does not exist; create it, or choose another file/)
})
