import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { listOptions, listRecords } from '../../listing.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { Refusal } from '../../refusals.ts'
import { perform, waitingOptions } from '../../waiting.ts'
import { newToken, printConfig } from '../alert/alertmanager-config.ts'

/** What to enter in the Alertmanager of a component that no package of Wharf configures. The token is a new one, shown once. */
async function showManual(cli: Cli, wharf: Wharf, { uuid, name }: { uuid: string; name: string }): Promise<void> {
  const { attachment, reason, platformUuid, url } = await wharf.clusterPlugins.getAlertAttachment(uuid)
  if (attachment !== 'Manual' || platformUuid === null || url === null)
    throw new Refusal(`there is nothing to enter by hand: ${reason}`, `wharf cluster alerts ${name} --attach`)
  const token = await newToken(wharf, { uuid: platformUuid, name })
  cli.say(`${reason}.`)
  await printConfig(cli, { attachment, url }, token)
}

export const alerts = command({
  name: 'alerts',
  summary: 'Show the alerts of a cluster, or start receiving them',
  more: 'Where no package managed by Wharf runs the component, --receive and --token print the address and a token, once, to enter in its Alertmanager.',
  arguments: { '<cluster>': { help: 'its name or uuid', names: 'clusterPlugins' } },
  options: {
    '--receive': { help: 'create the alert platform of the cluster' },
    '--attach': { help: 'configure the component again, after its token was reset' },
    '--token': { help: 'print the address and a new token to enter by hand; the token before is refused' },
    ...listOptions,
    ...waitingOptions,
  },
  examples: [
    'cluster alerts disks --receive',
    'cluster alerts disks --token',
    'cluster alerts disks --query status=firing',
  ],
  async run(cli, { cluster: name }, { receive, attach, token, query = [], sort, limit, ...waiting }) {
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'clusterPlugins', name)
    if (receive) {
      const { createClusterPluginAlertPlatform } = await import('@wharf/contract')
      const label = `Receiving alerts of ${known}`
      const answer = await perform(cli, createClusterPluginAlertPlatform, { uuid }, { ...waiting, label })
      if (answer === undefined) return
      const { attachment, reason } = await wharf.clusterPlugins.getAlertAttachment(uuid)
      if (attachment === 'Manual') return showManual(cli, wharf, { uuid, name })
      cli.say(`${attachment}: ${reason}.`)
      return cli.out.record(answer.thirdPartyPlatform)
    }
    if (token) return showManual(cli, wharf, { uuid, name })
    if (attach) {
      const { attachClusterPluginAlerts } = await import('@wharf/contract')
      const label = `Attaching alerts of ${known}`
      const answer = await perform(cli, attachClusterPluginAlerts, { uuid }, { ...waiting, label })
      if (answer === undefined) return
      const { reason } = await wharf.clusterPlugins.getAlertAttachment(uuid)
      if (answer.attachment === 'Manual')
        throw new Refusal(
          `nothing was attached: ${reason}`,
          `wharf cluster alerts ${name} --token prints what to enter`,
        )
      return cli.out.record({ ...answer, reason })
    }
    const { attachment, reason, platformUuid: platform } = await wharf.clusterPlugins.getAlertAttachment(uuid)
    if (platform === null)
      throw new Refusal(`the alerts of ${known} are not received`, `wharf cluster alerts ${name} --receive starts that`)
    if (attachment !== 'Attached') cli.say(`${attachment}: ${reason}.`)
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
      `${known} has sent no alert.`,
    )
  },
})
