import { command, type GroupSpec } from '../../command.ts'
import { deleteCommand } from '../../delete-command.ts'
import { listCommand } from '../../list-command.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { readText } from '../../option-values.ts'
import { printableLines } from '../../output/printable.ts'
import { parseJson } from '../../parse-json.ts'
import { showCommand } from '../../show-command.ts'
import { stateCommands } from '../../state-commands.ts'
import { createVerbs } from '../../verbs.ts'
import { type Platform, printConfig, resetToken } from './alertmanager-config.ts'

const create = command({
  ...createVerbs('create'),
  summary: 'Create an alert platform and print a configuration for Alertmanager',
  more: 'The configuration contains the token, which is shown only once.',
  arguments: { '<name>': { help: 'name of the platform' } },
  options: {
    '--template <text>': { help: 'Liquid template of messages; @file reads a file, @- reads stdin' },
    '--description <text>': { help: 'description' },
  },
  examples: ['alert platform create prod', 'alert platform create prod --template @alert.liquid > alertmanager.yml'],
  async run(cli, { name }, { template, description }) {
    const wharf = await cli.wharf()
    const { inventory, token } = await wharf.alertPlatforms.create({
      name,
      type: 'Alertmanager',
      template: template === undefined ? undefined : await readText(cli, template),
      description,
    })
    // a retry after a lost response returns no token
    await printConfig(cli, inventory, token ?? (await resetToken(wharf, inventory)))
    cli.info(`Created ${name} (uuid ${inventory.uuid}).`)
  },
})

const resetTokenCommand = command({
  name: 'reset-token',
  summary: 'Replace the token of an alert platform and print the new configuration',
  more: 'The old token becomes invalid.',
  arguments: { '<name>': { help: 'name or uuid', names: 'alertPlatforms' } },
  examples: ['alert platform reset-token prod > alertmanager.yml'],
  async run(cli, { name }) {
    const wharf = await cli.wharf()
    const inventory = (await resolveRecord(wharf, 'alertPlatforms', name)) as Platform
    const q = [`thirdPartyPlatformUuid=${inventory.uuid}`]
    const { inventories: clusters = [] } = await wharf.clusterAlertPlatforms.query({ q })
    await printConfig(cli, inventory, await resetToken(wharf, inventory))
    const [cluster] = clusters
    if (cluster)
      cli.info(`The cluster still uses the old token; update it: wharf cluster alerts ${cluster.clusterUuid} --attach`)
  },
})

const preview = command({
  name: 'preview',
  summary: 'Render the message of an alert with a template; nothing is stored or sent',
  arguments: { '<name>': { help: 'name or uuid', names: 'alertPlatforms' } },
  options: {
    '--template <text>': { help: 'Liquid template (default: of the platform); @file reads a file, @- reads stdin' },
    '--alert <json>': { help: 'alert in the format of Alertmanager (default: an example); @file reads a file' },
  },
  examples: ['alert platform preview prod', 'alert platform preview prod --template @alert.liquid --alert @alert.json'],
  async run(cli, { name }, { template, alert }) {
    const wharf = await cli.wharf()
    const record = (await resolveRecord(wharf, 'alertPlatforms', name)) as Platform
    const answer = await wharf.alertPlatforms.previewTemplate(record.uuid, {
      template: template === undefined ? record.template : await readText(cli, template),
      alert:
        alert === undefined ? undefined : (parseJson('--alert', await readText(cli, alert)) as Record<string, unknown>),
    })
    cli.out.text(printableLines(answer.text), answer)
  },
})

export const platform: GroupSpec = {
  name: 'platform',
  summary: 'Manage alert platforms, which send alerts to Wharf',
  commands: [
    listCommand('alertPlatforms', {
      path: 'alert platform',
      plural: 'alert platforms',
      columns: ['name', 'type', 'state', 'lastSyncDate', 'url', 'uuid'],
    }),
    showCommand('alertPlatforms', { path: 'alert platform', example: 'prod' }),
    create,
    preview,
    resetTokenCommand,
    ...stateCommands('alertPlatforms', 'alert platform', ['prod', 'staging']),
    deleteCommand('alertPlatforms', {
      path: 'alert platform',
      summary: 'Delete an alert platform and its alerts',
      examples: ['prod', 'staging'],
    }),
  ],
}
