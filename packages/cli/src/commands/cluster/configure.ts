import { command } from '../../command.ts'
import { givenSecret } from '../../given-text.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve.ts'
import { UsageError } from '../../refusals.ts'
import { perform, waitingOptions } from '../../waiting.ts'

const otherNodes = 2

export const configure = command({
  name: 'configure',
  summary: 'Form the cluster from three nodes and an installed package',
  more: 'Every node must have an address in every network. After a failure the same command resumes after the last step that succeeded; on a package whose cluster runs already, the same configuration attaches it again.',
  arguments: { '<cluster>': { help: 'its name or uuid', names: 'clusterPlugins' } },
  options: {
    '--package <name>': { help: 'the installed package that runs it', required: true, names: 'softwarePackages' },
    '--management-network <cidr>': { help: 'holds all three management addresses', required: true },
    '--public-network <cidr>': { help: 'the network that clients use', required: true },
    '--cluster-network <cidr>': { help: 'the network between the nodes', required: true },
    '--gateway-network <cidr>': { help: 'the public network when absent' },
    '--address <address>': { help: "the first node; the cluster's own address when absent" },
    '--node <address>': { help: 'another node; give it twice', repeated: true },
    '--storage-node <address>': { help: 'more storage, inside the cluster network', repeated: true },
    '--user <name>': { help: 'the administrator to create; admin when absent' },
    '--password <text>': { help: 'made up when absent; @file reads a file, @- standard input' },
    ...waitingOptions,
  },
  examples: [
    'cluster configure disks --package etcd-cluster --management-network 10.0.0.0/24 --public-network 10.0.0.0/24 --cluster-network 10.1.0.0/24 --node 10.0.0.12 --node 10.0.0.13',
  ],
  async run(cli, { cluster: name }, options) {
    const { updateClusterConfig } = await import('@wharf/contract')
    const { package: packageName, node = [], storageNode, user, password, address, ...rest } = options
    const { managementNetwork, publicNetwork, clusterNetwork, gatewayNetwork, ...waiting } = rest
    if (node.length !== otherNodes) throw new UsageError('give --node twice: a cluster has three nodes')
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'clusterPlugins', name)
    const input = {
      uuid,
      managementIp: address,
      managementNetworkCidr: managementNetwork,
      publicNetworkCidr: publicNetwork,
      clusterNetworkCidr: clusterNetwork,
      gatewayNetworkCidr: gatewayNetwork,
      otherManagementIp: node,
      otherStorageIp: storageNode,
      username: user,
      password: await givenSecret(cli, password),
      softwarePackageUuid: await resolveUuid(wharf, 'softwarePackages', packageName),
    }
    const answer = await perform(cli, updateClusterConfig, input, { ...waiting, label: `Configuring ${known}` })
    if (answer !== undefined) cli.out.record(answer)
  },
})
