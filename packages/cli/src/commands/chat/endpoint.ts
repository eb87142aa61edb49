import type { SystemEventName } from '@wharf/contract'
import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../delete-command.ts'
import { forEachName } from '../../for-each-name.ts'
import { listCommand } from '../../list-command.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve-record.ts'
import { readSecret } from '../../option-values.ts'
import { printRecord } from '../../print-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { showCommand } from '../../show-command.ts'
import { stateCommands } from '../../state-commands.ts'
import { createVerbs } from '../../verbs.ts'
import { endpointFields, endpointOptions } from './endpoint-options.ts'
import { systemEventNames } from './system-events.ts'

const applications = ['DingTalk', 'WeCom', 'FeiShu', 'Slack', 'Teams'] as const

const create = command({
  ...createVerbs('create'),
  summary: 'Create an endpoint: a chat group that receives alerts and events of Wharf itself',
  arguments: {
    '<name>': { help: 'name of the endpoint' },
    '<webhook>': { help: 'webhook URL of the chat application; @file reads a file, @- reads stdin' },
  },
  options: {
    '--type <type>': { help: 'chat application', choices: applications, required: true },
    ...endpointOptions,
  },
  examples: [
    'chat endpoint create ops @webhook --type DingTalk --secret @secret',
    'chat endpoint create ops @webhook --type Slack --at-all --own-events JobFailed,HostDisconnected',
  ],
  async run(cli, { name, webhook }, { type, ...options }) {
    const wharf = await cli.wharf()
    const { inventory } = await wharf.chatEndpoints.create({
      name,
      type: type as (typeof applications)[number],
      url: (await readSecret(cli, webhook)) ?? '',
      ...(await endpointFields(cli, wharf, options)),
    })
    await printRecord(cli, inventory)
  },
})

/** Fields that can be set to null. */
const clearable = ['secret', 'description', 'ownEventTemplate'] as const

const update = command({
  name: 'update',
  summary: 'Change an endpoint; options that are not given keep their values',
  arguments: { '<name>': { help: 'name or uuid', names: 'chatEndpoints' } },
  options: {
    '--name <name>': { help: 'new name' },
    '--webhook <url>': { help: 'webhook URL of the chat application; @file reads a file, @- reads stdin' },
    ...endpointOptions,
    '--no-at-all': { help: 'mention the registered persons only' },
    '--all-platforms': { help: 'send the alerts of all platforms' },
    '--clear <field>': { help: 'remove the value of a field; repeatable', choices: clearable, repeated: true },
  },
  examples: [
    'chat endpoint update ops --own-events JobFailed,HostDisconnected,HostConnected',
    'chat endpoint update ops --own-events none --clear ownEventTemplate',
  ],
  async run(cli, { name: nameOrUuid }, { name, webhook, allPlatforms, clear, ...options }) {
    const wharf = await cli.wharf()
    const uuid = await resolveUuid(wharf, 'chatEndpoints', nameOrUuid)
    const fields = await endpointFields(cli, wharf, options)
    const { inventory } = await wharf.chatEndpoints.update(uuid, {
      name,
      url: await readSecret(cli, webhook),
      ...fields,
      platformUuids: allPlatforms ? [] : fields.platformUuids,
      clear: clear as (typeof clearable)[number][] | undefined,
    })
    await printRecord(cli, inventory)
  },
})

const test = command({
  name: 'test',
  summary: 'Send a test message with mentions',
  arguments: { '<name...>': { help: 'names or uuids', names: 'chatEndpoints' } },
  options: {
    '--own-event <event>': { help: 'send an example of this event', choices: systemEventNames },
    ...jobOptions,
  },
  examples: ['chat endpoint test ops night', 'chat endpoint test ops --own-event HostDisconnected'],
  async run(cli, { name: names }, { ownEvent, ...jobFlags }) {
    const { testChatAppEndpoint } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveRecord(wharf, 'chatEndpoints', name),
      async act({ uuid, name }) {
        const flags = { ...jobFlags, label: `Sending to ${name}` }
        const answer = await runOperation(
          cli,
          testChatAppEndpoint,
          { uuid, ownEvent: ownEvent as SystemEventName | undefined },
          flags,
        )
        return answer && { message: `${name} accepted the message.`, data: { uuid, delivered: true } }
      },
    })
  },
})

export const endpoint: GroupSpec = {
  name: 'endpoint',
  summary: 'Manage chat groups that receive alerts and events of Wharf itself',
  commands: [
    listCommand('chatEndpoints', {
      path: 'chat endpoint',
      plural: 'chat endpoints',
      columns: ['name', 'type', 'url', 'language', 'atAll', 'ownEvents', 'state', 'uuid'],
      wide: ['platform', 'description', 'createDate'],
    }),
    showCommand('chatEndpoints', { path: 'chat endpoint', example: 'ops' }),
    create,
    update,
    test,
    ...stateCommands('chatEndpoints', 'chat endpoint', ['ops', 'night']),
    deleteCommand('chatEndpoints', {
      path: 'chat endpoint',
      summary: 'Delete a chat endpoint with its mentions and deliveries',
      examples: ['ops', 'night'],
    }),
  ],
}
