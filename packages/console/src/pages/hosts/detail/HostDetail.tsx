import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import {
  changeHostState,
  deleteHost,
  queryHost,
  querySoftwarePackage,
  reconnectHost,
  rotateHostKey,
  updateHost,
} from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { DetailPage } from '../../../components/DetailPage.tsx'
import { NodeName } from '../../../components/NodeName.tsx'
import { ProbeFailure } from '../../../components/ProbeFailure.tsx'
import { useHostRefusal } from '../../../components/permission.ts'
import type { RecordAction } from '../../../components/RecordActions.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { stateAction } from '../../../components/state-action.ts'
import { UserTags } from '../../../components/user-tags/UserTags.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { HostLabels } from '../labels/HostLabels.tsx'
import { HostCharts } from './charts/HostCharts.tsx'
import { DiskUsage } from './DiskUsage.tsx'
import { EditHost } from './edit/EditHost.tsx'
import { HostPackages } from './HostPackages.tsx'
import { messages } from './messages.ts'

type Host = RecordOf<typeof queryHost>

/** No event reports a change of the free space. */
const pollMs = 30_000
const maxPackages = 1000

export function HostDetail({ uuid, search }: { uuid: string; search: URLSearchParams }) {
  const t = useMessages(messages)
  const { hosts } = useWharf()
  const query = useApiQuery(queryHost, { q: [`uuid=${uuid}`] }, { pollMs })
  const stored = useApiQuery(querySoftwarePackage, {
    q: [`hostUuid=${uuid}`],
    sort: '-size',
    limit: maxPackages,
    replyWithCount: true,
  })
  const packages = stored.data?.inventories ?? []
  const count = stored.data?.total ?? 0
  const hostRefused = useHostRefusal()
  const actions = (host: Host): RecordAction[] => {
    const { name = '', state } = host
    return [
      {
        label: t.edit,
        operation: updateHost,
        disabledReason: hostRefused(host)?.disabledReason,
        dialog: (onDismiss) => <EditHost host={host} onDismiss={onDismiss} />,
      },
      {
        label: t.reconnect,
        operation: reconnectHost,
        call: { operation: reconnectHost, input: { uuid } },
        run: () => hosts.reconnect(uuid),
      },
      {
        label: t.rotateKey,
        operation: rotateHostKey,
        disabledReason: host.driver === 'local' ? t.noKey : hostRefused(host)?.disabledReason,
        call: { operation: rotateHostKey, input: { uuid } },
        confirm: { title: t.rotateKeyTitle(name), consequences: t.rotateKeyConsequences },
        run: () => hosts.rotateKey(uuid),
      },
      stateAction(t, {
        uuid,
        name,
        state,
        operation: changeHostState,
        change: (stateEvent) => hosts.changeState(uuid, { stateEvent }),
      }),
      {
        label: t.delete,
        operation: deleteHost,
        disabledReason: count > 0 ? t.hasPackages(count) : undefined,
        call: { operation: deleteHost, input: { uuid } },
        confirm: {
          title: t.deleteTitle(name),
          consequences: t.deleteConsequences,
        },
        run: async () => {
          await hosts.delete(uuid)
          navigate(linkTo(['hosts']))
        },
      },
    ]
  }
  return (
    <DetailPage
      query={query}
      notFound={t.notFound}
      list={{ path: ['hosts'], label: t.toList }}
      title={({ name }) => name}
      description={({ description }) => description}
      actions={actions}
    >
      {(host) => (
        <>
          <ProbeFailure record={host} />
          <HostFacts host={host} />
          <HostLabels host={host} />
          <HostCharts hostUuid={uuid} />
          <DiskUsage
            host={host}
            packages={packages}
            total={count}
            requestedFolder={search.get('folder') ?? undefined}
          />
          <HostPackages hostUuid={uuid} packages={packages} total={count} error={stored.error} />
          <UserTags resourceUuid={uuid} resourceType="Host" list={['hosts']} />
        </>
      )}
    </DetailPage>
  )
}

const addressOf = ({ address, sshPort }: Host): string =>
  sshPort && sshPort !== 22 ? `${address}:${sshPort}` : (address ?? '')

function HostFacts({ host }: { host: Host }) {
  const t = useMessages(messages)
  return (
    <Container header={<Header variant="h2">{t.facts}</Header>}>
      <KeyValuePairs
        columns={4}
        items={[
          { label: t.status, value: <Status value={host.status} /> },
          { label: t.state, value: <Status value={host.state} /> },
          { label: t.address, value: addressOf(host) },
          { label: t.driver, value: host.driver ?? '–' },
          { label: t.hostName, value: host.hostName ?? '–' },
          { label: t.system, value: host.system ?? '–' },
          { label: t.architecture, value: host.architecture ?? '–' },
          { label: t.model, value: [host.manufacturer, host.product].filter(Boolean).join(' ') || '–' },
          { label: t.sn, value: host.sn ?? '–' },
          { label: t.username, value: host.username ?? '–' },
          { label: t.packagesPath, value: host.packagesPath ?? '–' },
          { label: t.created, value: <RelativeTime time={host.createDate} /> },
          { label: t.changed, value: <RelativeTime time={host.lastOpDate} /> },
          ...(host.hostKeyFingerprint
            ? [{ label: t.fingerprint, value: <span className="fingerprint">{host.hostKeyFingerprint}</span> }]
            : []),
          ...(host.managementNodeUuid ? [{ label: t.node, value: <NodeName uuid={host.managementNodeUuid} /> }] : []),
        ]}
      />
    </Container>
  )
}
