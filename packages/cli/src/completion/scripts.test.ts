import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { scripts } from './scripts.ts'

const listing = '63'

/** Runs the function of the script as bash does; `wharf` prints its arguments to stderr and these lines. */
function completed(
  words: readonly string[],
  lines: readonly string[],
  type = '9',
): { called: string; reply: string[] } {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const program = `${scripts.bash}
compopt() { local IFS=' '; printf 'compopt %s\\n' "$*" >&2; }
wharf() { local IFS=' '; printf '%s\\n' "$*" >&3; printf '%b\\n' ${lines.map((line) => quoted(line.replaceAll('\t', '\\t'))).join(' ')}; }
COMP_WORDS=(wharf ${words.map(quoted).join(' ')}); COMP_CWORD=${words.length}; COMP_TYPE=${type}; COLUMNS=40
_wharf
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, output } = spawnSync('bash', ['-c', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  assert.equal(stderr.replaceAll(/^compopt .*\n/gm, ''), '')
  return { called: String(output[3]).replace(/\n$/, ''), reply: stdout.split('\n').slice(0, -1) }
}

for (const [what, words, lines, called, reply] of [
  ['a command', ['ho'], ['host'], '__complete ho', ['host']],
  ['a name with a space', ['tag', 'show', 'two'], ['two words'], '__complete tag show two', ['two\\ words']],
  ['a name with a wildcard', ['tag', 'show', ''], ['*'], '__complete tag show ', ['\\*']],
  ['after a backslash', ['tag', 'show', 'two\\ w'], ['two words'], '__complete tag show two w', ['two\\ words']],
  [
    'a value after =, which bash separates',
    ['call', 'hosts.changeState', 'stateEvent', '=', 'en'],
    ['stateEvent=enable'],
    '__complete call hosts.changeState stateEvent=en',
    ['enable'],
  ],
  [
    'a version after @',
    ['release', 'show', 'hello', '@', '1.'],
    ['hello@1.0.0'],
    '__complete release show hello@1.',
    ['1.0.0'],
  ],
  [
    'a release to upload',
    ['package', 'upload', 'release', ':', '//hello', '@'],
    ['release://hello@1.0.0'],
    '__complete package upload release://hello@',
    ['1.0.0'],
  ],
  ['a field', ['call', 'tags.create', 'na'], ['name='], '__complete call tags.create na', ['name=']],
] as const)
  test(`bash completes ${what}`, () => assert.deepEqual(completed(words, lines), { called, reply }))

test('bash describes the candidates that it lists, within the width of the terminal', () => {
  const lines = ['show\tShow all fields of a host', 'disable\tDisable a host, with a long description of it', 'x']
  const { called, reply } = completed(['host', ''], lines, listing)
  assert.equal(called, '__describe host ')
  assert.deepEqual(reply, ['show     (Show all fields of a host)', 'disable  (Disable a host, with a long d', 'x'])
})

test('bash inserts the only candidate without its description', () =>
  assert.deepEqual(completed(['host', 'sh'], ['show\tShow all fields'], listing).reply, ['show']))
