import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { addHost, deleteHost, queryHost } from '@wharf/contract'
import { curlCommands, shellWord, wharfCommands } from './command-text.ts'

const { PATH = '' } = process.env

/** The words that a shell passes to the program. */
function wordsOf(command: string, environment: Record<string, string> = {}): string[] {
  const print = `{ printf '%s\\0' "$@"; }`
  const script = `wharf() ${print}\ncurl() ${print}\n${command}`
  const output = execFileSync('/bin/sh', ['-c', script], { env: { PATH, ...environment }, encoding: 'utf8' })
  return output.split('\0').slice(0, -1)
}

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
    assert.deepEqual(wordsOf(`wharf ${shellWord(text)}`), [text])
})

test('a list repeats its field, and empty ones are omitted', () => {
  const call = { operation: queryHost, input: { q: ["name~=it's", 'state=Enabled'], sort: '-name', fields: [] } }
  assert.deepEqual(wordsOf(wharfCommands([call])), [
    'call',
    'hosts.query',
    "q=name~=it's",
    'q=state=Enabled',
    'sort=-name',
  ])
  const url = new URL(wordsOf(curlCommands([call], 'https://wharf.example/wharf/')).at(-1) ?? '')
  assert.equal(url.pathname, '/wharf/v1/hosts')
  assert.deepEqual(url.searchParams.getAll('q'), ["name~=it's", 'state=Enabled'])
})

test('secrets and the session are variables of the shell', () => {
  const input = { name: "web's", driver: 'ssh', address: '10.0.0.7', username: 'root', privateKey: 'do not show' }
  const call = { operation: addHost, input }
  const privateKey = 'first "line" \\ $HOME\n\tsecond\n'
  const environment = { PRIVATE_KEY: privateKey, WHARF_SESSION: 's' }
  for (const command of [wharfCommands([call]), curlCommands([call], 'http://h')])
    assert.doesNotMatch(command, /do not show/)
  assert.ok(wordsOf(wharfCommands([call]), environment).includes(`privateKey=${privateKey}`))
  const words = wordsOf(curlCommands([call], 'http://h'), environment)
  assert.ok(words.includes('Authorization: OAuth s'))
  const body = words[words.indexOf('-d') + 1] ?? ''
  assert.deepEqual(JSON.parse(body), { params: { ...input, privateKey } })
})

test('a variable of the path is in the path', () => {
  const command = curlCommands([{ operation: deleteHost, input: { uuid: 'a1', deleteMode: 'Enforcing' } }], 'http://h')
  const words = wordsOf(command)
  assert.equal(words.at(-1), 'http://h/v1/hosts/a1')
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), { deleteMode: 'Enforcing' })
})

test('an empty field is omitted, or a placeholder if it is required', () => {
  const call = { operation: addHost, input: { name: '', driver: 'ssh', username: 'root', sshPort: undefined } }
  assert.deepEqual(wordsOf(wharfCommands([call])), [
    'call',
    'hosts.add',
    'name=<name>',
    'driver=ssh',
    'address=<address>',
    'username=root',
  ])
  const words = wordsOf(curlCommands([call], 'http://h'))
  const { params } = JSON.parse(words[words.indexOf('-d') + 1] ?? '')
  assert.deepEqual(params, { name: '<name>', driver: 'ssh', address: '<address>', username: 'root' })
  assert.match(wharfCommands([{ operation: deleteHost, input: { uuid: '' } }]), /'uuid=<uuid>'$/)
})

test('a list with a value that looks like JSON is JSON', () => {
  const call = { operation: queryHost, input: { q: ['name=[a', 'x'], fields: ['[b', 'c'] } }
  assert.deepEqual(wordsOf(wharfCommands([call])), ['call', 'hosts.query', 'q=name=[a', 'q=x', 'fields=["[b","c"]'])
})
