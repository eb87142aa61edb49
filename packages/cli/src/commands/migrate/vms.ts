import type { Wharf } from '@wharf/sdk'
import { command, type GroupSpec } from '../../command.ts'
import { confirm, yesOption } from '../../confirming.ts'
import { tellDeleted } from '../../deleting.ts'
import { givenNumber } from '../../given-text.ts'
import { resolveUuid } from '../../names/resolve.ts'
import { Refusal } from '../../refusals.ts'
import { perform, waitingOptions } from '../../waiting.ts'

const list = {
  ...command({
    name: 'list',
    summary: 'List the virtual machines of the gateway',
    examples: ['migrate vms', 'migrate vms list --json'],
    async run(cli) {
      const { gatewayVmInstances, managementVmInstanceUuid } = await (await cli.wharf()).migration.vmInstances()
      const rows = gatewayVmInstances.map((vm) => ({ ...vm, isManaging: vm.uuid === managementVmInstanceUuid }))
      cli.out.list(rows, ['name', 'state', 'isManaging', 'hostUuid', 'createDate', 'uuid'])
      if (rows.length === 0) cli.say('There are no virtual machines: wharf migrate vms create makes one.')
    },
  }),
  isDefault: true,
}

const create = command({
  name: 'create',
  summary: 'Make a virtual machine from the gateway image and start it',
  arguments: { '<name>': { help: 'of the new machine' } },
  options: {
    '--host <name>': { help: 'the host it runs on', required: true, names: 'hosts' },
    '--cpu <count>': { help: 'virtual processors; 1 when absent' },
    '--memory <bytes>': { help: '1 GiB when absent' },
    '--network <name>': { help: 'network:NAME of libvirt, bridge:NAME of the host, or user' },
    '--description <text>': { help: 'for people' },
    ...waitingOptions,
  },
  examples: ['migrate vms create gateway-2 --host web-1 --cpu 2'],
  async run(cli, { name }, { host, cpu, memory, network, description, ...waiting }) {
    const { createMigrateVmInstance } = await import('@wharf/contract')
    const input = {
      name,
      hostUuid: await resolveUuid(await cli.wharf(), 'hosts', host),
      cpu: givenNumber('--cpu', cpu),
      memoryBytes: givenNumber('--memory', memory),
      network,
      description,
    }
    const answer = await perform(cli, createMigrateVmInstance, input, { ...waiting, label: `Making ${name}` })
    if (answer !== undefined) cli.out.record(answer.inventory)
  },
})

const remove = command({
  name: 'delete',
  summary: 'Stop a gateway VM and remove it with its disk',
  arguments: { '<name>': { help: 'its name or uuid', names: 'gatewayVms' } },
  more: 'One that runs is deleted after a confirmation only.',
  options: { ...yesOption, ...waitingOptions },
  examples: ['migrate vms delete gateway-2', 'migrate vms delete gateway-2 --yes'],
  async run(cli, { name }, { yes, ...waiting }) {
    const { deleteMigrateVmInstance } = await import('@wharf/contract')
    const { uuid, state } = await machineNamed(await cli.wharf(), name)
    if (!['Stopped', 'Crashed'].includes(state))
      await confirm(cli, { fact: `VM ${name} is ${state}`, loss: 'It is stopped and its disk is deleted', yes })
    const answer = await perform(cli, deleteMigrateVmInstance, { uuid }, { ...waiting, label: `Deleting ${name}` })
    if (answer !== undefined) tellDeleted(cli, uuid, name)
  },
})

/** They are no collection with a query, so they are looked through. */
async function machineNamed(wharf: Wharf, name: string): Promise<{ uuid: string; state: string }> {
  const { gatewayVmInstances } = await wharf.migration.vmInstances()
  const found = gatewayVmInstances.filter((vm) => vm.uuid === name || vm.name === name)
  const [machine] = found
  if (machine === undefined) throw new Refusal(`there is no virtual machine named ${name}`)
  if (found.length > 1)
    throw new Refusal(`several virtual machines are named ${name}:\n${found.map(({ uuid }) => `  ${uuid}`).join('\n')}`)
  return machine
}

export const vms: GroupSpec = {
  name: 'vms',
  summary: 'Virtual machines of the gateway',
  commands: [list, create, remove],
}
