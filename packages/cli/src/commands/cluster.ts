import { command, type GroupSpec } from '../command.ts'
import { confirm, yesOption } from '../confirm.ts'
import { deletedResult, deleteModeOf, forceOption } from '../delete-command.ts'
import { UsageError } from '../errors.ts'
import { forEachName } from '../for-each-name.ts'
import { listCommand } from '../list-command.ts'
import { resolveRecord, resolveUuid } from '../names/resolve-record.ts'
import { parseInteger, readSecret } from '../option-values.ts'
import { printRecord } from '../print-record.ts'
import { jobOptions, runOperation } from '../run-operation.ts'
import { showCommand } from '../show-command.ts'
import { createVerbs, deleteVerbs } from '../verbs.ts'
import { alerts } from './cluster/alerts.ts'
import { configure } from './cluster/configure.ts'

const named = { '<cluster>': { help: 'name or uuid', names: 'clusterPlugins' } } as const

const add = command({
  ...createVerbs('add'),
  summary: 'Add a cluster component, new or already running',
  arguments: { '<name>': { help: 'name of the cluster' } },
  options: {
    '--address <address>': { help: "address of the component (default: the management node's address)" },
    '--port <number>': { help: 'API port of the component (default: 8056)' },
    '--admin-token <text>': { help: 'token of a running component to take over; @file reads a file, @- reads stdin' },
    ...jobOptions,
  },
  examples: ['cluster add disks', 'cluster add disks --address 10.0.0.11 --admin-token @token'],
  async run(cli, { name }, { address, port, adminToken, ...jobFlags }) {
    const { addClusterPlugin } = await import('@wharf/contract')
    const input = {
      name,
      managementIp: address,
      apiPort: parseInteger('--port', port),
      adminToken: await readSecret(cli, adminToken),
    }
    const answer = await runOperation(cli, addClusterPlugin, input, { ...jobFlags, label: `Adding ${name}` })
    if (answer === undefined) return
    await printRecord(cli, answer.inventory)
    if (adminToken === undefined) return
    const { uuid, managementIp, apiPort } = answer.inventory
    const { softwarePackageUuid } = await (await cli.wharf()).clusterPlugins.getAlertAttachment(uuid)
    cli.info(
      softwarePackageUuid === null
        ? `No software package managed by Wharf was found for port ${apiPort} at ${managementIp}. To receive its alerts, run wharf cluster alerts ${name} --receive, which prints the address and the token for its Alertmanager.`
        : `Software package ${softwarePackageUuid} runs it. To receive its alerts: wharf cluster alerts ${name} --receive`,
    )
  },
})

const update = command({
  name: 'update',
  aliases: ['edit'],
  summary: 'Change the name of a cluster, or its token, which is verified first',
  arguments: named,
  options: {
    '--name <name>': { help: 'new name' },
    '--admin-token <text>': { help: 'token that the component accepts; @file reads a file, @- reads stdin' },
    ...jobOptions,
  },
  examples: ['cluster update disks --name archive', 'cluster update disks --admin-token @token'],
  async run(cli, { cluster: nameOrUuid }, { name, adminToken, ...jobFlags }) {
    const { updateClusterPlugin } = await import('@wharf/contract')
    if (name === undefined && adminToken === undefined)
      throw new UsageError('nothing to change: use --name or --admin-token')
    const { uuid, name: current } = await resolveRecord(await cli.wharf(), 'clusterPlugins', nameOrUuid)
    const input = { uuid, name, adminToken: await readSecret(cli, adminToken) }
    const answer = await runOperation(cli, updateClusterPlugin, input, { ...jobFlags, label: `Updating ${current}` })
    if (answer !== undefined) await printRecord(cli, answer.inventory)
  },
})

const credential = command({
  name: 'credential',
  summary: 'Show the generated password of a cluster, once',
  arguments: named,
  examples: ['cluster credential disks'],
  async run(cli, { cluster: name }) {
    const wharf = await cli.wharf()
    cli.out.record(await wharf.clusterPlugins.revealCredential(await resolveUuid(wharf, 'clusterPlugins', name)))
  },
})

const remove = command({
  ...deleteVerbs('remove'),
  summary: 'Remove a cluster and its alert platform from Wharf; the cluster keeps its data',
  arguments: { '<cluster...>': { help: 'names or uuids', names: 'clusterPlugins' } },
  more: 'Prompts for confirmation if Wharf receives alerts of the cluster.',
  options: { ...yesOption, ...forceOption, ...jobOptions },
  examples: ['cluster remove disks', 'cluster remove disks archive --yes'],
  async run(cli, { cluster: names }, { yes, force, ...jobFlags }) {
    const { removeClusterPlugin } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      async find(name) {
        const record = await resolveRecord(wharf, 'clusterPlugins', name)
        const q = [`clusterUuid=${record.uuid}`]
        const { inventories = [] } = await wharf.clusterAlertPlatforms.query({ q, limit: 1 })
        if (inventories.length > 0)
          await confirm(cli, {
            fact: `Wharf receives alerts of cluster ${record.name}`,
            loss: 'Removing it deletes its alert platform and stops its alerts',
            yes,
          })
        return record
      },
      async act({ uuid, name }) {
        const input = { uuid, ...deleteModeOf(force) }
        const answer = await runOperation(cli, removeClusterPlugin, input, { ...jobFlags, label: `Removing ${name}` })
        if (answer === undefined) return undefined
        const { message, data } = deletedResult(uuid, name, 'remove')
        return { message, data: { ...data, removed: true } }
      },
    })
  },
})

export const cluster: GroupSpec = {
  name: 'cluster',
  summary: 'Manage clusters and their alerts',
  commands: [
    listCommand('clusterPlugins', {
      path: 'cluster',
      plural: 'clusters',
      columns: ['name', 'managementIp', 'apiPort', 'createDate', 'uuid'],
      wide: ['lastOpDate'],
    }),
    showCommand('clusterPlugins', { path: 'cluster', example: 'disks' }),
    add,
    update,
    configure,
    alerts,
    credential,
    remove,
  ],
}
