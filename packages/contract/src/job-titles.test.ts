import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobTitle, jobTitles } from './job-titles.ts'
import { operations } from './operations.ts'
import { rolloutJobs } from './rollout-states.ts'

const jobs = [...operations.filter(({ mode }) => mode === 'job').map(({ name }) => name), ...rolloutJobs]

test('every job operation has a title that names its record', () => {
  assert.deepEqual(Object.keys(jobTitles).sort(), jobs.toSorted())
  for (const [name, title] of Object.entries(jobTitles)) {
    assert.ok(title('web-1', undefined).includes('web-1'), name)
    for (const text of [title(undefined, undefined), title('web-1', undefined), title('web-1', 'host-3')])
      assert.ok(text !== '' && text === text.trim() && !/undefined|null| {2}/.test(text), text)
  }
})

const install = { operation: 'InstallSoftwarePackage', targetName: 'web-1' }
const rows: [string, Parameters<typeof jobTitle>[0]][] = [
  ['Install exporter 2.1.0 on web-1', { ...install, subjectName: 'exporter', subjectVersion: '2.1.0' }],
  ['Install exporter-2.1.0 on web-1', { ...install, subjectName: 'exporter-2.1.0', subjectVersion: '2.1.0' }],
  ['Install exporter on web-1', { ...install, subjectName: 'exporter', subjectVersion: null }],
  ['Install a package', { operation: 'InstallSoftwarePackage', subjectName: null }],
  ['StartDemo demo', { operation: 'StartDemo', subjectName: 'demo' }],
  ['StartDemo', { operation: 'StartDemo' }],
]

for (const [title, job] of rows) test(`a job has the title “${title}”`, () => assert.equal(jobTitle(job), title))
