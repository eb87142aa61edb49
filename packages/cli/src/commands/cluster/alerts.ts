import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { listOptions, listRecords } from '../../list-command.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { printConfig, resetToken } from '../alert/alertmanager-config.ts'

/** Prints the configuration for an Alertmanager that no package of Wharf configures, with a new token. */
async function printManualConfig(
  cli: Cli,
  wharf: Wharf,
  { uuid, name }: { uuid: string; name: string },
): Promise<void> {
  const { attachment, reason, platformUuid, url } = await wharf.clusterPlugins.getAlertAttachment(uuid)
  if (attachment !== 'Manual' || platformUuid === null || url === null)
    throw new CommandError(
      `no manual configuration is needed: ${reason}`,
      `attach it with wharf cluster alerts ${name} --attach`,
    )
  const token = await resetToken(wharf, { uuid: platformUuid, name })
  cli.info(`${reason}.`)
  await printConfig(cli, { attachment, url }, token)
}

export const alerts = command({
  name: 'alerts',
  summary: 'List the alerts of a cluster, or start receiving them',
  more: 'If no package managed by Wharf runs the component, --receive and --token print the address and a new token for its Alertmanager.',
  arguments: { '<cluster>': { help: 'name or uuid', names: 'clusterPlugins' } },
  options: {
    '--receive': { help: 'create the alert platform of the cluster' },
    '--attach': { help: 'configure the component again after a token reset' },
    '--token': { help: 'print the address and a new token; the old token becomes invalid' },
    ...listOptions,
    ...jobOptions,
  },
  examples: [
    'cluster alerts disks --receive',
    'cluster alerts disks --token',
    'cluster alerts disks --query status=firing',
  ],
  async run(cli, { cluster: name }, { receive, attach, token, query = [], sort, limit, columns, watch, ...jobFlags }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'clusterPlugins', name)
    if (receive) {
      const { createClusterPluginAlertPlatform } = await import('@wharf/contract')
      const label = `Receiving alerts of ${known}`
      const answer = await runOperation(cli, createClusterPluginAlertPlatform, { uuid }, { ...jobFlags, label })
      if (answer === undefined) return
      const { attachment, reason } = await wharf.clusterPlugins.getAlertAttachment(uuid)
      if (attachment === 'Manual') return printManualConfig(cli, wharf, { uuid, name })
      cli.info(`${attachment}: ${reason}.`)
      return cli.out.record(answer.thirdPartyPlatform)
    }
    if (token) return printManualConfig(cli, wharf, { uuid, name })
    if (attach) {
      const { attachClusterPluginAlerts } = await import('@wharf/contract')
      const label = `Attaching alerts of ${known}`
      const answer = await runOperation(cli, attachClusterPluginAlerts, { uuid }, { ...jobFlags, label })
      if (answer === undefined) return
      const { reason } = await wharf.clusterPlugins.getAlertAttachment(uuid)
      if (answer.attachment === 'Manual')
        throw new CommandError(
          `nothing was attached: ${reason}`,
          `print the configuration with wharf cluster alerts ${name} --token`,
        )
      return cli.out.record({ ...answer, reason })
    }
    const { attachment, reason, platformUuid: platform } = await wharf.clusterPlugins.getAlertAttachment(uuid)
    if (platform === null)
      throw new CommandError(
        `Wharf does not receive alerts of ${known}`,
        `start with wharf cluster alerts ${name} --receive`,
      )
    if (attachment !== 'Attached') cli.info(`${attachment}: ${reason}.`)
    const filter = {
      query: [`platformUuid=${platform}`, ...query],
      sort: sort ?? '-startsAt',
      ...(limit ? { limit } : {}),
      ...(columns ? { columns } : {}),
      ...(watch ? { watch } : {}),
    }
    await listRecords(cli, 'alerts', filter, {
      columns: ['name', 'status', 'severity', 'startsAt', 'endsAt', 'uuid'],
      wide: ['fingerprint', 'labels', 'annotations'],
      nameField: 'uuid',
      emptyMessage: `No alerts of ${known}.`,
    })
  },
})
