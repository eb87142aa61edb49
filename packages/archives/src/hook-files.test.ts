import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programPath } from './hook-files.ts'

const files = ['install.sh', 'bin/tool', 'state.json', 'error']

const cases: [words: readonly string[], path: string | undefined][] = [
  [['./install.sh', 'state.json'], 'install.sh'],
  [['bin/tool', './install.sh'], 'bin/tool'],
  [['./not-in-the-archive', 'state.json'], 'not-in-the-archive'],
  [['sh', 'install.sh', 'state.json'], 'install.sh'],
  [['/bin/bash', '-eu', '-o', 'pipefail', './install.sh'], 'install.sh'],
  [['python3.12', '-u', 'bin/tool', 'state.json'], 'bin/tool'],
  [['perl', '-w', 'bin/tool'], 'bin/tool'],
  [['node', '--no-warnings', 'bin/tool', 'state.json'], 'bin/tool'],
  [['sh', '-c', 'cat "$0"', 'state.json'], undefined],
  [['bash', '-ec', 'cat "$0"', 'state.json'], undefined],
  [['python3', '-m', 'json.tool', 'state.json'], undefined],
  [['perl', '-ne', 'print', 'state.json'], undefined],
  [['php', '-r', 'echo 1;', 'state.json'], undefined],
  [['sh', '/opt/outside.sh', 'state.json'], undefined],
  [['cp', 'state.json', '/etc/demo.json'], undefined],
  [['install.sh', 'state.json'], undefined],
  [['env', 'A=./b', 'sh', 'install.sh', 'state.json'], 'install.sh'],
  [['sudo', '-n', 'timeout', '60', './bin/tool', 'state.json'], 'bin/tool'],
  [['env', 'cp', 'state.json', '/etc'], undefined],
]
for (const [words, path] of cases)
  test(`of ${words.join(' ')} the package provides ${path ?? 'no program'}`, () => {
    assert.equal(
      programPath(words, (file) => files.includes(file)),
      path,
    )
  })
