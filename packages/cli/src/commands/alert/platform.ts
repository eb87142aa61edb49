import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../deleting.ts'
import { givenText } from '../../given-text.ts'
import { listCommand, showCommand } from '../../listing.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { newToken, type Platform, printConfig } from './alertmanager-config.ts'

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
    const [cluster] = clusters
    if (cluster) cli.say(`Its cluster still has the old token: wharf cluster alerts ${cluster.clusterUuid} --attach`)
  },
})

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
