import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { scripts } from './scripts.ts'

/** The completion of zsh and fish in the shells themselves; `wharf` is a function that writes its arguments to a file. */
const folder = mkdtempSync(join(tmpdir(), 'wharf-shells-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'wharf.zsh'), scripts.zsh)
writeFileSync(join(folder, 'wharf.fish'), scripts.fish)

const missing = (shell: string): string | false =>
  spawnSync(shell, ['-c', 'true']).status === 0 ? false : `${shell} is not installed`

function run(shell: string, program: string, ...options: string[]): string {
  const { stdout, stderr, error } = spawnSync(shell, [...options, '-c', program], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
    env: { PATH: process.env.PATH ?? '', HOME: folder, TERM: 'dumb' },
  })
  assert.equal(error, undefined)
  assert.equal(stderr, '')
  return stdout
}

const called = (): string[] => readFileSync(join(folder, 'called'), 'utf8').split('\n').slice(0, -1)

const names = 'two words\tblue\n'
const rows: [typed: string, answer: string, called: string, completed: string][] = [
  ['wharf ho', 'host\tManage hosts\n', '<__describe><ho>', 'wharf host '],
  ['wharf tag show two', names, '<__describe><tag><show><two>', 'wharf tag show two\\ words '],
  ['wharf tag show ', names, '<__describe><tag><show><>', 'wharf tag show two\\ words '],
  ['wharf tag show two\\ w', names, '<__describe><tag><show><two w>', 'wharf tag show two\\ words '],
  ['wharf tag show "two w', names, '<__describe><tag><show><two w>', 'wharf tag show "two words" '],
  ["wharf tag show 'two", names, '<__describe><tag><show><two>', "wharf tag show 'two words' "],
  ['wharf tag show ', '*\tany\n', '<__describe><tag><show><>', 'wharf tag show \\* '],
  [
    'wharf call tags.create na',
    'name=\trequired\n',
    '<__describe><call><tags.create><na>',
    'wharf call tags.create name=',
  ],
]

/** A shell with a terminal of its own. Ctrl-X Ctrl-R stores the edited line, and prints that it is done. */
const zsh = `
zmodload zsh/zpty
zpty inner "zsh -f -i"
waitFor() { local text; repeat 400; do zpty -r -t inner text && [[ $text == *$1* ]] && return; sleep 0.02; done; print -u2 "no $1"; exit 1 }
zpty -w inner "PS1=; autoload -Uz compinit && compinit -u -D; source ./wharf.zsh
wharf() { printf '<%s>' \\"\\$@\\" >> called; print >> called; cat answer }
report() { print -r -- \\"\\$BUFFER.\\" >> lines; print DO''NE; BUFFER= }; zle -N report; bindkey '^X^R' report
print REA''DY"
waitFor READY
for typed in "\${(@f)$(<typed)}"; do
  (( line++ )); cp answer-$line answer
  zpty -w -n inner "$typed"$'\\t\\x18\\x12'
  waitFor DONE
done
zpty -d inner`

test('zsh completes names with spaces, with and without quotes', { skip: missing('zsh') }, () => {
  writeFileSync(join(folder, 'called'), '')
  writeFileSync(join(folder, 'typed'), rows.map(([typed]) => `${typed}\n`).join(''))
  for (const [index, [, answer]] of rows.entries()) writeFileSync(join(folder, `answer-${index + 1}`), answer)
  run('zsh', zsh, '-f')
  assert.deepEqual(
    called(),
    rows.map(([, , words]) => words),
  )
  assert.deepEqual(
    readFileSync(join(folder, 'lines'), 'utf8').split('\n').slice(0, -1),
    rows.map(([, , , line]) => `${line}.`),
  )
})

test('fish completes names with spaces, with and without quotes', { skip: missing('fish') }, () => {
  writeFileSync(join(folder, 'called'), '')
  const program = rows.map(([typed, answer]) => `set answer ${quoted(answer.trim())}; complete -C ${quoted(typed)}`)
  const completed = run(
    'fish',
    `source wharf.fish
function wharf; printf '<%s>' $argv >> called; echo >> called; printf '%s\\n' $answer; end
${program.join('\n')}`,
  )
  assert.deepEqual(
    called(),
    rows.map(([, , words]) => words),
  )
  assert.deepEqual(
    completed.split('\n').slice(0, -1),
    rows.map(([, answer]) => answer.trim()),
  )
})

/** A word of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
