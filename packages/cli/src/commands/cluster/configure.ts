import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve-record.ts'
import { readSecret } from '../../option-values.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

const otherNodes = 2

export const configure = command({
  name: 'configure',
  summary: 'Form a cluster from three nodes and an installed package',
  more: 'Every node needs an address in every network. After a failure the same command resumes after the last successful step. If the cluster of the package already runs, the same configuration re-attaches it.',
  arguments: { '<cluster>': { help: 'name or uuid', names: 'clusterPlugins' } },
  options: {
    '--package <name>': { help: 'installed package that runs the cluster', required: true, names: 'softwarePackages' },
    '--management-network <cidr>': { help: 'network of the three management addresses', required: true },
    '--public-network <cidr>': { help: 'network of the clients', required: true },
    '--cluster-network <cidr>': { help: 'network between the nodes', required: true },
    '--gateway-network <cidr>': { help: 'gateway network (default: the public network)' },
    '--address <address>': { help: "first node (default: the cluster's address)" },
    '--node <address>': { help: 'another node; pass it twice', repeated: true },
    '--storage-node <address>': { help: 'additional storage node in the cluster network; repeatable', repeated: true },
    '--user <name>': { help: 'administrator to create (default: admin)' },
    '--password <text>': { help: 'password (default: generated); @file reads a file, @- reads stdin' },
    ...jobOptions,
  },
  examples: [
    'cluster configure disks --package etcd-cluster --management-network 10.0.0.0/24 --public-network 10.0.0.0/24 --cluster-network 10.1.0.0/24 --node 10.0.0.12 --node 10.0.0.13',
  ],
  async run(cli, { cluster: name }, options) {
    const { updateClusterConfig } = await import('@wharf/contract')
    const { package: packageName, node = [], storageNode, user, password, address, ...rest } = options
    const { managementNetwork, publicNetwork, clusterNetwork, gatewayNetwork, ...jobFlags } = rest
    if (node.length !== otherNodes) throw new UsageError('pass --node twice: a cluster has three nodes')
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
      password: await readSecret(cli, password),
      softwarePackageUuid: await resolveUuid(wharf, 'softwarePackages', packageName),
    }
    const answer = await runOperation(cli, updateClusterConfig, input, { ...jobFlags, label: `Configuring ${known}` })
    if (answer !== undefined) cli.out.record(answer)
  },
})
