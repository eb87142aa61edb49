import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { addHost, deleteHost, queryHost } from '@wharf/contract'
import { curlCommand, shellWord, wharfCommand } from './command-text.ts'

/** The words that a shell passes to a program. */
const wordsOf = (command: string, environment: Record<string, string> = {}): string[] =>
  execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${command}`], { env: environment, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

test('a shell reads every word as it was', () => {
  for (const text of [
    '',
    'plain',
    "it's",
    'a b',
    '$HOME',
    '`id`',
    '"',
    '\\',
    '*',
    '#x',
    'line\nbreak',
    '中文',
    '~',
    '!',
    '-x',
  ])
    assert.deepEqual(wordsOf(shellWord(text)), [text])
})

test('a list repeats its field, and empty ones are omitted', () => {
  const call = { operation: queryHost, input: { q: ["name~=it's", 'state=Enabled'], sort: '-name', fields: [] } }
  assert.deepEqual(wordsOf(wharfCommand(call)), [
    'wharf',
    'call',
    'hosts.query',
    "q=name~=it's",
    'q=state=Enabled',
    'sort=-name',
  ])
  const url = new URL(wordsOf(curlCommand(call, 'https://wharf.example/wharf/')).at(-1) ?? '')
  assert.equal(url.pathname, '/wharf/v1/hosts')
  assert.deepEqual(url.searchParams.getAll('q'), ["name~=it's", 'state=Enabled'])
})

test('secrets and the session are variables of the shell', () => {
  const input = { name: "web's", driver: 'ssh', address: '10.0.0.7', username: 'root', privateKey: 'do not show' }
  const call = { operation: addHost, input }
  const environment = { PRIVATE_KEY: 'k', WHARF_SESSION: 's' }
  for (const command of [wharfCommand(call), curlCommand(call, 'http://h')]) assert.doesNotMatch(command, /do not show/)
  assert.ok(wordsOf(wharfCommand(call), environment).includes('privateKey=k'))
  const words = wordsOf(curlCommand(call, 'http://h'), environment)
  assert.ok(words.includes('Authorization: OAuth s'))
  const body = words[words.indexOf('-d') + 1] ?? ''
  assert.deepEqual(JSON.parse(body), { params: { ...input, privateKey: 'k' } })
})

test('a variable of the path is in the path', () => {
  const command = curlCommand({ operation: deleteHost, input: { uuid: 'a1', deleteMode: 'Enforcing' } }, 'http://h')
  const words = wordsOf(command)
  assert.equal(words.at(-1), 'http://h/v1/hosts/a1')
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), { deleteMode: 'Enforcing' })
})
