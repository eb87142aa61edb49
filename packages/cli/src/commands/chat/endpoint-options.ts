import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import type { OptionsOf } from '../../command.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { readSecret, readText } from '../../option-values.ts'
import { parseSystemEvents, systemEventNames } from './system-events.ts'

const languages = ['en', 'zh'] as const

/** The options of commands that create or change an endpoint. */
export const endpointOptions = {
  '--secret <text>': { help: 'signing secret of DingTalk or FeiShu; @file reads a file' },
  '--at-all': { help: 'mention everyone' },
  '--language <language>': { help: 'language of the messages', choices: languages },
  '--platform <name>': {
    help: 'send only alerts of this platform; repeatable',
    repeated: true,
    names: 'alertPlatforms',
  },
  '--own-events <list>': {
    help: `send these events of Wharf itself, separated by commas, or none: ${systemEventNames.join(', ')}`,
    suggestions: [...systemEventNames, 'none'],
  },
  '--own-event-template <text>': { help: 'Liquid template of messages about these events; @file reads a file' },
  '--description <text>': { help: 'description' },
} as const

export async function endpointFields(cli: Cli, wharf: Wharf, options: OptionsOf<typeof endpointOptions>) {
  const { secret, atAll, language, platform = [], ownEvents, ownEventTemplate, description } = options
  const platformUuids = await Promise.all(
    platform.map((nameOrUuid) => resolveUuid(wharf, 'alertPlatforms', nameOrUuid)),
  )
  return {
    secret: await readSecret(cli, secret),
    atAll,
    language: language as (typeof languages)[number] | undefined,
    platformUuids: platformUuids.length > 0 ? platformUuids : undefined,
    ownEvents: parseSystemEvents(ownEvents),
    ownEventTemplate: ownEventTemplate === undefined ? undefined : await readText(cli, ownEventTemplate),
    description,
  }
}
