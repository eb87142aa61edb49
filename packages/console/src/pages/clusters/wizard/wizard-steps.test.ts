import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyForm } from './cluster-form.ts'
import { messages } from './messages.ts'
import { type Step, stepProblems, wizardSteps } from './wizard-steps.ts'

test('a new cluster has all steps', () => {
  assert.deepEqual(wizardSteps('new', true), ['component', 'software', 'network', 'preflight'])
})

test('a running cluster has one step', () => assert.deepEqual(wizardSteps('takeover', true), ['component']))

test('an existing cluster is configured without its first step', () => {
  for (const kind of ['new', 'takeover'] as const)
    assert.deepEqual(wizardSteps(kind, false), ['software', 'network', 'preflight'])
})

test('every step has a title and an introduction in both languages', () => {
  for (const step of wizardSteps('new', true))
    for (const texts of [messages.en, messages.zh]) assert.ok(texts[step] && texts[`${step}Intro`])
})

const required: Record<Step, readonly string[]> = {
  component: ['name'],
  software: ['softwarePackageUuid'],
  network: ['managementNetworkCidr', 'publicNetworkCidr', 'clusterNetworkCidr', 'managementIp', 'second', 'third'],
  preflight: [],
}
for (const [step, fields] of Object.entries(required))
  test(`an empty form is rejected by the step ${step} for ${fields.length} fields`, () => {
    const problems = stepProblems(step as Step, emptyForm, undefined)
    assert.deepEqual(Object.keys(problems).sort(), fields.toSorted())
  })

test('a package that cannot form a cluster is rejected, an unknown one is not', () => {
  const form = { ...emptyForm, softwarePackageUuid: 'p1' }
  assert.deepEqual(stepProblems('software', form, false), { softwarePackageUuid: { kind: 'cannotForm', value: '' } })
  assert.deepEqual(stepProblems('software', form, undefined), {})
  assert.deepEqual(stepProblems('software', form, true), {})
})

test('every problem has a message in both languages', () => {
  const form = { ...emptyForm, kind: 'takeover' as const, apiPort: 'x', address: '-', second: 'x' }
  const kinds = (['component', 'software', 'network'] as const).flatMap((step) =>
    Object.values(stepProblems(step, form, false)).map(({ kind }) => kind),
  )
  assert.ok(kinds.length > 5)
  for (const kind of kinds) assert.ok(messages.en.problems[kind]('x') && messages.zh.problems[kind]('x'))
})
