import type { Wharf } from '@wharf/sdk'
import { command, type GroupSpec } from '../../command.ts'
import { confirm, yesOption } from '../../confirm.ts'
import { reportDeleted } from '../../delete-command.ts'
import { CommandError } from '../../errors.ts'
import { resolveUuid } from '../../names/resolve-record.ts'
import { parseInteger } from '../../option-values.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

const list = {
  ...command({
    name: 'list',
    summary: 'List the virtual machines of the gateway',
    examples: ['migrate vms', 'migrate vms list --json'],
    async run(cli) {
      const { gatewayVmInstances, managementVmInstanceUuid } = await (await cli.wharf()).migration.vmInstances()
      const rows = gatewayVmInstances.map((vm) => ({ ...vm, isManaging: vm.uuid === managementVmInstanceUuid }))
      cli.out.list(rows, ['name', 'state', 'isManaging', 'hostUuid', 'createDate', 'uuid'])
      if (rows.length === 0) cli.info('No virtual machines. Create one with wharf migrate vms create.')
    },
  }),
  isDefault: true,
}

const create = command({
  name: 'create',
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
    if (answer !== undefined) cli.out.record(answer.inventory)
  },
})

const remove = command({
  name: 'delete',
  summary: 'Stop a virtual machine and delete it with its disk',
  arguments: { '<name>': { help: 'name or uuid', names: 'gatewayVms' } },
  more: 'Prompts for confirmation if the virtual machine is running.',
  options: { ...yesOption, ...jobOptions },
  examples: ['migrate vms delete gateway-2', 'migrate vms delete gateway-2 --yes'],
  async run(cli, { name }, { yes, ...jobFlags }) {
    const { deleteMigrateVmInstance } = await import('@wharf/contract')
    const { uuid, state } = await findVm(await cli.wharf(), name)
    if (!['Stopped', 'Crashed'].includes(state))
      await confirm(cli, { fact: `VM ${name} is ${state}`, loss: 'Deleting stops it and deletes its disk', yes })
    const answer = await runOperation(
      cli,
      deleteMigrateVmInstance,
      { uuid },
      { ...jobFlags, label: `Deleting ${name}` },
    )
    if (answer !== undefined) reportDeleted(cli, uuid, name)
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
