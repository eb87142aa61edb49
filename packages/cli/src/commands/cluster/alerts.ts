import { command } from '../../command.ts'
import { listOptions, listRecords } from '../../listing.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { Refusal } from '../../refusals.ts'
import { perform, waitingOptions } from '../../waiting.ts'

export const alerts = command({
  name: 'alerts',
  summary: 'Show the alerts of a cluster, or begin to receive them',
  arguments: { '<cluster>': { help: 'its name or uuid', names: 'clusterPlugins' } },
  options: { '--receive': { help: 'make the alert platform of the cluster' }, ...listOptions, ...waitingOptions },
  examples: ['cluster alerts disks --receive', 'cluster alerts disks --query status=firing'],
  async run(cli, { cluster: name }, { receive, query = [], sort, limit, ...waiting }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'clusterPlugins', name)
    if (receive) {
      const { createClusterPluginAlertPlatform } = await import('@wharf/contract')
      const label = `Receiving alerts of ${known}`
      const answer = await perform(cli, createClusterPluginAlertPlatform, { uuid }, { ...waiting, label })
      return answer && cli.out.record(answer.thirdPartyPlatform)
    }
    const { inventories = [] } = await wharf.clusterAlertPlatforms.query({ q: [`clusterUuid=${uuid}`] })
    const platform = inventories[0]?.thirdPartyPlatformUuid
    if (platform === undefined)
      throw new Refusal(`the alerts of ${known} are not received`, `wharf cluster alerts ${name} --receive begins that`)
    const choice = {
      query: [`platformUuid=${platform}`, ...query],
      sort: sort ?? '-startsAt',
      ...(limit ? { limit } : {}),
    }
    await listRecords(
      cli,
      'alerts',
      choice,
      ['name', 'status', 'severity', 'startsAt', 'endsAt', 'uuid'],
      `${known} has told of no alert.`,
    )
  },
})
