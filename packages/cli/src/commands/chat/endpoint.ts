import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../deleting.ts'
import { givenSecret } from '../../given-text.ts'
import { listCommand, showCommand } from '../../listing.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve.ts'
import { perform, waitingOptions } from '../../waiting.ts'

const kinds = ['DingTalk', 'WeCom', 'FeiShu', 'Slack', 'Teams'] as const
const languages = ['en', 'zh'] as const

const add = command({
  name: 'add',
  summary: 'Let Wharf write to a chat group',
  arguments: {
    '<name>': { help: 'of the new endpoint' },
    '<webhook>': { help: 'the address that the chat application gave; @file reads a file, @- standard input' },
  },
  options: {
    '--type <type>': { help: 'the chat application', choices: kinds, required: true },
    '--secret <text>': { help: 'what DingTalk and FeiShu sign with; @file reads a file' },
    '--at-all': { help: 'mention everyone' },
    '--language <language>': { help: 'of the words around a message', choices: languages },
    '--platform <name>': { help: 'only alerts of this platform', repeated: true, names: 'alertPlatforms' },
    '--description <text>': { help: 'for people' },
  },
  examples: [
    'chat endpoint add ops @webhook --type DingTalk --secret @secret',
    'chat endpoint add ops @webhook --type Slack --at-all',
  ],
  async run(cli, { name, webhook }, { type, secret, atAll, language, platform = [], description }) {
    const wharf = await cli.wharf()
    const platformUuids = await Promise.all(platform.map((one) => resolveUuid(wharf, 'alertPlatforms', one)))
    const { inventory } = await wharf.chatEndpoints.create({
      name,
      type: type as (typeof kinds)[number],
      url: (await givenSecret(cli, webhook)) ?? '',
      secret: await givenSecret(cli, secret),
      atAll,
      language: language as (typeof languages)[number] | undefined,
      platformUuids: platformUuids.length > 0 ? platformUuids : undefined,
      description,
    })
    cli.out.record(inventory)
  },
})

const test = command({
  name: 'test',
  summary: 'Send a test message, with the mentions that an alert would have',
  arguments: { '<name>': { help: 'its name or uuid', names: 'chatEndpoints' } },
  options: waitingOptions,
  examples: ['chat endpoint test ops'],
  async run(cli, { name }, waiting) {
    const { testChatAppEndpoint } = await import('@wharf/contract')
    const { uuid, name: known } = await resolveRecord(await cli.wharf(), 'chatEndpoints', name)
    const answer = await perform(cli, testChatAppEndpoint, { uuid }, { ...waiting, label: `Writing to ${known}` })
    if (answer === undefined) return
    cli.say(`${known} has taken the message.`)
    if (cli.out.form !== 'table') cli.out.record({ uuid, delivered: true })
  },
})

export const endpoint: GroupSpec = {
  name: 'endpoint',
  summary: 'Chat groups that Wharf writes to',
  commands: [
    listCommand('chatEndpoints', {
      path: 'chat endpoint',
      plural: 'chat endpoints',
      columns: ['name', 'type', 'url', 'language', 'atAll', 'state', 'uuid'],
    }),
    showCommand('chatEndpoints', 'chat endpoint', 'ops'),
    add,
    test,
    deleteCommand('chatEndpoints', 'chat endpoint', {
      summary: 'Delete a chat endpoint with its persons and deliveries',
      example: 'ops',
    }),
  ],
}
