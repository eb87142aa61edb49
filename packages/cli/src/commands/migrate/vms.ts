import type { Wharf } from '@wharf/sdk'
import { command, type GroupSpec } from '../../command.ts'
import { confirm, yesOption } from '../../confirm.ts'
import { deletedResult } from '../../delete-command.ts'
import { CommandError } from '../../errors.ts'
import { forEachName } from '../../for-each-name.ts'
import { withReferenceNames } from '../../names/reference-names.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { parseInteger } from '../../option-values.ts'
import { printRecord } from '../../print-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { createVerbs, deleteVerbs } from '../../verbs.ts'

const list = {
  ...command({
    name: 'list',
    summary: 'List the virtual machines of the gateway',
    examples: ['migrate vms', 'migrate vms list --json'],
    async run(cli) {
      const wharf = await cli.wharf()
      const { gatewayVmInstances, managementVmInstanceUuid } = await wharf.migration.vmInstances()
      const rows = gatewayVmInstances.map((vm) => ({ ...vm, isManaging: vm.uuid === managementVmInstanceUuid }))
      const shown = cli.out.isTable ? await withReferenceNames(wharf, rows, (reference) => reference === 'host') : rows
      cli.out.list(shown, ['name', 'state', 'isManaging', 'host', 'createDate', 'uuid'])
      if (rows.length === 0) cli.info('No virtual machines. Create one with wharf migrate vms create.')
    },
  }),
  isDefault: true,
}

const create = command({
  ...createVerbs('create'),
  summary: 'Create a virtual machine from the gateway image and start it',
  arguments: { '<name>': { help: 'name of the virtual machine' } },
  options: {
    '--host <name>': { help: 'host of the virtual machine', required: true, names: 'hosts' },
    '--cpu <count>': { help: 'virtual processors (default: 1)' },
    '--memory <bytes>': { help: 'memory in bytes (default: 1 GiB)' },
    '--network <name>': { help: 'network:NAME of libvirt, bridge:NAME of the host, or user' },
    '--description <text>': { help: 'description' },
    ...jobOptions,
  },
  examples: ['migrate vms create gateway-2 --host web-1 --cpu 2'],
  async run(cli, { name }, { host, cpu, memory, network, description, ...jobFlags }) {
    const { createMigrateVmInstance } = await import('@wharf/contract')
    const input = {
      name,
      hostUuid: await resolveUuid(await cli.wharf(), 'hosts', host),
      cpu: parseInteger('--cpu', cpu),
      memoryBytes: parseInteger('--memory', memory),
      network,
      description,
    }
    const answer = await runOperation(cli, createMigrateVmInstance, input, { ...jobFlags, label: `Creating ${name}` })
    if (answer !== undefined) await printRecord(cli, answer.inventory)
  },
})

const remove = command({
  ...deleteVerbs('delete'),
  summary: 'Stop a virtual machine and delete it with its disk',
  arguments: { '<name...>': { help: 'names or uuids', names: 'gatewayVms' } },
  more: 'Prompts for confirmation if the virtual machine is running.',
  options: { ...yesOption, ...jobOptions },
  examples: ['migrate vms delete gateway-2', 'migrate vms delete gateway-2 gateway-3 --yes'],
  async run(cli, { name: names }, { yes, ...jobFlags }) {
    const { deleteMigrateVmInstance } = await import('@wharf/contract')
    await forEachName(cli, names, {
      async find(name) {
        const { uuid, state } = await findVm(await cli.wharf(), name)
        if (!['Stopped', 'Crashed'].includes(state))
          await confirm(cli, { fact: `VM ${name} is ${state}`, loss: 'Deleting stops it and deletes its disk', yes })
        return { uuid, name }
      },
      async act({ uuid, name }) {
        const flags = { ...jobFlags, label: `Deleting ${name}` }
        const answer = await runOperation(cli, deleteMigrateVmInstance, { uuid }, flags)
        return answer && deletedResult(uuid, name)
      },
    })
  },
})

/** The API has no query for virtual machines. */
async function findVm(wharf: Wharf, name: string): Promise<{ uuid: string; state: string }> {
  const { gatewayVmInstances } = await wharf.migration.vmInstances()
  const found = gatewayVmInstances.filter((vm) => vm.uuid === name || vm.name === name)
  const [vm] = found
  if (vm === undefined) throw new CommandError(`no virtual machine named ${name}`)
  if (found.length > 1)
    throw new CommandError(
      `several virtual machines are named ${name}:\n${found.map(({ uuid }) => `  ${uuid}`).join('\n')}`,
    )
  return vm
}

export const vms: GroupSpec = {
  name: 'vms',
  summary: 'Manage virtual machines of the gateway',
  commands: [list, create, remove],
}
