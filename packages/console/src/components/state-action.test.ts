import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeHostState } from '@wharf/contract'
import { stateAction } from './state-action.ts'

const t = {
  enable: 'Enable',
  disable: 'Disable',
  disableTitle: (name: string) => `Disable ${name}?`,
  disableConsequences: '…',
}

const rows = [
  { state: 'Disabled', label: 'Enable', title: undefined, sent: 'enable' },
  { state: 'Enabled', label: 'Disable', title: 'Disable web-1?', sent: 'disable' },
]

for (const { state, label, title, sent } of rows)
  test(`a record that is ${state} can be changed by ${label}`, async () => {
    const change = async (stateEvent: string) => stateEvent
    const action = stateAction(t, { uuid: 'a1', name: 'web-1', state, operation: changeHostState, change })
    assert.ok('run' in action)
    assert.deepEqual([action.label, action.confirm?.title, await action.run()], [label, title, sent])
    assert.deepEqual(action.call?.input, { uuid: 'a1', stateEvent: sent })
  })
