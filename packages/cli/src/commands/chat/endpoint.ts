import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../delete-command.ts'
import { forEachName } from '../../for-each-name.ts'
import { listCommand } from '../../list-command.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve-record.ts'
import { readSecret } from '../../option-values.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { showCommand } from '../../show-command.ts'
import { stateCommands } from '../../state-commands.ts'
import { createVerbs } from '../../verbs.ts'

const applications = ['DingTalk', 'WeCom', 'FeiShu', 'Slack', 'Teams'] as const
const languages = ['en', 'zh'] as const

const create = command({
  ...createVerbs('create'),
  summary: 'Create an endpoint: a chat group that receives alerts',
  arguments: {
    '<name>': { help: 'name of the endpoint' },
    '<webhook>': { help: 'webhook URL of the chat application; @file reads a file, @- reads stdin' },
  },
  options: {
    '--type <type>': { help: 'chat application', choices: applications, required: true },
    '--secret <text>': { help: 'signing secret of DingTalk or FeiShu; @file reads a file' },
    '--at-all': { help: 'mention everyone' },
    '--language <language>': { help: 'language of the messages', choices: languages },
    '--platform <name>': {
      help: 'send only alerts of this platform; repeatable',
      repeated: true,
      names: 'alertPlatforms',
    },
    '--description <text>': { help: 'description' },
  },
  examples: [
    'chat endpoint create ops @webhook --type DingTalk --secret @secret',
    'chat endpoint create ops @webhook --type Slack --at-all',
  ],
  async run(cli, { name, webhook }, { type, secret, atAll, language, platform = [], description }) {
    const wharf = await cli.wharf()
    const platformUuids = await Promise.all(
      platform.map((nameOrUuid) => resolveUuid(wharf, 'alertPlatforms', nameOrUuid)),
    )
    const { inventory } = await wharf.chatEndpoints.create({
      name,
      type: type as (typeof applications)[number],
      url: (await readSecret(cli, webhook)) ?? '',
      secret: await readSecret(cli, secret),
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
  summary: 'Send a test message with mentions',
  arguments: { '<name...>': { help: 'names or uuids', names: 'chatEndpoints' } },
  options: jobOptions,
  examples: ['chat endpoint test ops', 'chat endpoint test ops night'],
  async run(cli, { name: names }, jobFlags) {
    const { testChatAppEndpoint } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveRecord(wharf, 'chatEndpoints', name),
      async act({ uuid, name }) {
        const flags = { ...jobFlags, label: `Sending to ${name}` }
        const answer = await runOperation(cli, testChatAppEndpoint, { uuid }, flags)
        return answer && { message: `${name} accepted the message.`, data: { uuid, delivered: true } }
      },
    })
  },
})

export const endpoint: GroupSpec = {
  name: 'endpoint',
  summary: 'Manage chat groups that receive alerts',
  commands: [
    listCommand('chatEndpoints', {
      path: 'chat endpoint',
      plural: 'chat endpoints',
      columns: ['name', 'type', 'url', 'language', 'atAll', 'state', 'uuid'],
      wide: ['platform', 'description', 'createDate'],
    }),
    showCommand('chatEndpoints', { path: 'chat endpoint', example: 'ops' }),
    create,
    test,
    ...stateCommands('chatEndpoints', 'chat endpoint', ['ops', 'night']),
    deleteCommand('chatEndpoints', {
      path: 'chat endpoint',
      summary: 'Delete a chat endpoint with its mentions and deliveries',
      examples: ['ops', 'night'],
    }),
  ],
}
