import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../deleting.ts'
import { givenText } from '../../given-text.ts'
import { listCommand, showCommand } from '../../listing.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { Refusal } from '../../refusals.ts'

type Platform = Awaited<ReturnType<Wharf['alertPlatforms']['create']>>['inventory']

const create = command({
  name: 'create',
  summary: 'Create an alert platform for an Alertmanager of your own; its configuration is printed',
  more: 'The printed configuration contains the token, which is not shown again.',
  arguments: { '<name>': { help: 'of the new platform' } },
  options: {
    '--template <text>': { help: 'Liquid template of its messages; @file reads a file, @- standard input' },
    '--description <text>': { help: 'for people' },
  },
  examples: ['alert platform create prod', 'alert platform create prod --template @alert.liquid > alertmanager.yml'],
  async run(cli, { name }, { template, description }) {
    const wharf = await cli.wharf()
    const { inventory, token } = await wharf.alertPlatforms.create({
      name,
      type: 'Alertmanager',
      template: template === undefined ? undefined : await givenText(cli, template),
      description,
    })
    // a repeated call, after an answer that was lost, has no token
    await printConfig(cli, inventory, token ?? (await newToken(wharf, inventory)))
    cli.say(`${name} is created (uuid ${inventory.uuid}).`)
  },
})

const resetToken = command({
  name: 'reset-token',
  summary: 'Replace the token of an alert platform; the configuration with the new token is printed',
  more: 'The old token is refused from then on.',
  arguments: { '<name>': { help: 'its name or uuid', names: 'alertPlatforms' } },
  examples: ['alert platform reset-token prod > alertmanager.yml'],
  async run(cli, { name }) {
    const wharf = await cli.wharf()
    const inventory = (await resolveRecord(wharf, 'alertPlatforms', name)) as Platform
    const q = [`thirdPartyPlatformUuid=${inventory.uuid}`]
    const { inventories: clusters = [] } = await wharf.clusterAlertPlatforms.query({ q })
    await printConfig(cli, inventory, await newToken(wharf, inventory))
    if (clusters.length > 0)
      cli.say(`The cluster plugin of ${inventory.name} still has the old token: repeat wharf cluster configure now.`)
  },
})

async function newToken(wharf: Wharf, { uuid, name }: Platform): Promise<string> {
  const { token } = await wharf.alertPlatforms.resetToken(uuid)
  if (token !== null) return token
  throw new Refusal(
    `the response with the token of ${name} was lost`,
    `check the connection, then: wharf alert platform reset-token ${uuid}`,
  )
}

async function printConfig(cli: Cli, inventory: Platform, token: string): Promise<void> {
  const { alertmanagerConfig, isLoopbackUrl } = await import('@wharf/sdk')
  cli.out.text(alertmanagerConfig({ url: inventory.url, token }), { ...inventory, token })
  cli.say('Save the token now: it is not shown again.')
  if (isLoopbackUrl(inventory.url))
    cli.say(
      `Hint: only this machine reaches ${new URL(inventory.url).origin}. For an Alertmanager elsewhere, set WHARF_PUBLIC_URL of the server.`,
    )
}

export const platform: GroupSpec = {
  name: 'platform',
  summary: 'Alert platforms: what may send alerts to Wharf',
  commands: [
    listCommand('alertPlatforms', {
      path: 'alert platform',
      plural: 'alert platforms',
      columns: ['name', 'type', 'state', 'lastSyncDate', 'url', 'uuid'],
    }),
    showCommand('alertPlatforms', 'alert platform', 'prod'),
    create,
    resetToken,
    deleteCommand('alertPlatforms', 'alert platform', {
      summary: 'Delete an alert platform with its alerts',
      example: 'prod',
    }),
  ],
}
