import { command, type GroupSpec } from '../command.ts'
import { confirm, yesOption } from '../confirming.ts'
import { forceOption, modeOf } from '../deleting.ts'
import { givenNumber, givenSecret } from '../given-text.ts'
import { listCommand, showCommand } from '../listing.ts'
import { resolveRecord, resolveUuid } from '../names/resolve.ts'
import { perform, waitingOptions } from '../waiting.ts'
import { alerts } from './cluster/alerts.ts'
import { configure } from './cluster/configure.ts'

const named = { '<cluster>': { help: 'its name or uuid', names: 'clusterPlugins' } } as const

const add = command({
  name: 'add',
  summary: 'Add a cluster component, new or already running',
  arguments: { '<name>': { help: 'of the new cluster' } },
  options: {
    '--address <address>': { help: "where the component is reached; the node's own address when absent" },
    '--port <number>': { help: 'of its interface; 8056 when absent' },
    '--admin-token <text>': { help: 'takes over one that runs; @file reads a file, @- standard input' },
    ...waitingOptions,
  },
  examples: ['cluster add disks', 'cluster add disks --address 10.0.0.11 --admin-token @token'],
  async run(cli, { name }, { address, port, adminToken, ...waiting }) {
    const { addClusterPlugin } = await import('@wharf/contract')
    const input = {
      name,
      managementIp: address,
      apiPort: givenNumber('--port', port),
      adminToken: await givenSecret(cli, adminToken),
    }
    const answer = await perform(cli, addClusterPlugin, input, { ...waiting, label: `Adding ${name}` })
    if (answer === undefined) return
    cli.out.record(answer.inventory)
    if (adminToken === undefined) return
    const { uuid, managementIp, apiPort } = answer.inventory
    const { softwarePackageUuid } = await (await cli.wharf()).clusterPlugins.getAlertAttachment(uuid)
    cli.say(
      softwarePackageUuid === null
        ? `No software package managed by Wharf was found for port ${apiPort} at ${managementIp}. To receive its alerts, wharf cluster alerts ${name} --receive prints the address and the token to enter in its Alertmanager.`
        : `Software package ${softwarePackageUuid} runs it. To receive its alerts: wharf cluster alerts ${name} --receive`,
    )
  },
})

const credential = command({
  name: 'credential',
  summary: 'Show, once, the password that was made up for a cluster',
  arguments: named,
  examples: ['cluster credential disks'],
  async run(cli, { cluster: name }) {
    const wharf = await cli.wharf()
    cli.out.record(await wharf.clusterPlugins.revealCredential(await resolveUuid(wharf, 'clusterPlugins', name)))
  },
})

const remove = command({
  name: 'remove',
  summary: 'Remove a cluster and its alert platform from Wharf; the cluster keeps its data',
  arguments: named,
  more: 'One whose alerts are received is removed after a confirmation only.',
  options: { ...yesOption, ...forceOption, ...waitingOptions },
  examples: ['cluster remove disks', 'cluster remove disks --yes'],
  async run(cli, { cluster: name }, { yes, force, ...waiting }) {
    const { removeClusterPlugin } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'clusterPlugins', name)
    const { inventories = [] } = await wharf.clusterAlertPlatforms.query({ q: [`clusterUuid=${uuid}`], limit: 1 })
    if (inventories.length > 0)
      await confirm(cli, {
        fact: `the alerts of cluster ${known} are received`,
        loss: 'Its alert platform is deleted, and no further alert arrives',
        yes,
      })
    const input = { uuid, ...modeOf(force) }
    const answer = await perform(cli, removeClusterPlugin, input, { ...waiting, label: `Removing ${known}` })
    if (answer === undefined) return
    cli.say(`${known} is removed.`)
    if (cli.out.form !== 'table') cli.out.record({ uuid, removed: true })
  },
})

export const cluster: GroupSpec = {
  name: 'cluster',
  summary: 'Clusters and their alerts',
  commands: [
    listCommand('clusterPlugins', {
      path: 'cluster',
      plural: 'clusters',
      columns: ['name', 'managementIp', 'apiPort', 'createDate', 'uuid'],
    }),
    showCommand('clusterPlugins', 'cluster', 'disks'),
    add,
    configure,
    alerts,
    credential,
    remove,
  ],
}
