import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SystemEventName, systemEventNames } from '@wharf/contract'
import { Liquid } from 'liquidjs'
import { defaultTemplates } from './default-templates.ts'
import { exampleEvent } from './example-event.ts'
import { datedEvent, plainMessage } from './plain-message.ts'
import { templateScope } from './template-scope.ts'

const options = { formatTime: (ms: number) => `at ${ms}`, consoleUrl: 'https://wharf.example/wharf' }

for (const language of ['en', 'zh'] as const)
  test(`every event has a title, a text and a link in ${language}`, () => {
    const titles = systemEventNames.map((event) => {
      const example = datedEvent(exampleEvent(event), 5)
      const { title, text } = plainMessage(example, language)
      const scope = templateScope(example, { ...options, language })
      assert.ok(title.includes(example.resource.name) && text !== '')
      assert.equal(scope.event.time, 'at 5')
      assert.match(scope.event.link ?? '', /^https:\/\/wharf\.example\/wharf\/#\/[a-z-]+\/[0-9a-f]{32}$/)
      assert.notEqual(scope.resource.kind, '')
      return title
    })
    assert.equal(new Set(titles).size, systemEventNames.length)
  })

test('the message about an access key names its id and its user', () => {
  const rendered = (event: SystemEventName, language: 'en' | 'zh'): string => {
    const example = { userName: 'ann', ...exampleEvent(event) }
    const scope = templateScope(datedEvent(example, 5), { ...options, language })
    return new Liquid().parseAndRenderSync(defaultTemplates[language], scope)
  }
  assert.match(rendered('AccessKeyExpires', 'en'), /\*\*Key ID:\*\* [\s\S]*\*\*User:\*\* /)
  assert.match(rendered('AccessKeyExpires', 'zh'), /\*\*密钥 ID:\*\* [\s\S]*\*\*用户:\*\* /)
  assert.match(rendered('RolloutPaused', 'en'), /\*\*Started by:\*\* /)
})

test('values are literal, and a reason can be in the language of the endpoint', () => {
  const event = { ...exampleEvent('JobFailed'), reason: '**bold** [x](http://x)', userName: '*ann*' }
  const { event: scope } = templateScope(datedEvent(event, 0), { ...options, language: 'en', consoleUrl: undefined })
  assert.deepEqual([scope.reason, scope.user, scope.link], ['\\*\\*bold\\*\\* \\[x\\](http://x)', '\\*ann\\*', null])
  const space = datedEvent(exampleEvent('StorageAlmostFull'), 0)
  assert.match(templateScope(space, { ...options, language: 'zh' }).event.reason ?? '', /已使用/)
})

test('a long reason and a name with control characters can be stored', () => {
  const resource = { type: 'Host', uuid: 'f'.repeat(32), name: `a\nb${'x'.repeat(300)}` }
  const event = datedEvent({ event: 'HostDisconnected', resource, reason: `\0${'\ud800'.repeat(9000)}` }, 0)
  const { title, text } = plainMessage(event, 'en')
  assert.ok(title.length <= 255 && !title.includes('\n'))
  assert.ok(text.length <= 4000 && !text.includes('\0') && text.isWellFormed())
})
