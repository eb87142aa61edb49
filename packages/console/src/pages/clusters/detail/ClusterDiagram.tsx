import { isSameAddress } from '@wharf/platform/cidr.ts'
import { useIsNarrow } from '../../../browser/use-is-narrow.ts'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { ClusterNode } from './ClusterNode.tsx'
import { box, heightOf, type NetworkName, narrow, networkNames, topOf, wide } from './diagram-layout.ts'
import { messages } from './messages.ts'

export interface Topology {
  readonly managementNetworkCidr: string
  readonly publicNetworkCidr: string
  readonly clusterNetworkCidr: string
  /** The first node is the host of the package. */
  readonly nodes: readonly string[]
  readonly storage: readonly string[]
}

interface ClusterDiagramProps {
  readonly topology: Topology
  readonly hosts: readonly { readonly address?: string; readonly name?: string; readonly status?: string }[]
}

/** The nodes on their networks, with the status of their hosts. */
export function ClusterDiagram({ topology, hosts }: ClusterDiagramProps) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const layout = useIsNarrow() ? narrow : wide
  const { width, lines, boxLeft } = layout
  const cidrs: Record<NetworkName, string> = {
    management: topology.managementNetworkCidr,
    public: topology.publicNetworkCidr,
    cluster: topology.clusterNetworkCidr,
  }
  const { nodes, storage } = topology
  const height = heightOf(nodes.length, storage.length > 0)
  const networks = networkNames.map((name) => `${t[name]} ${cidrs[name]}`)
  const shown = nodes.map((address) => ({
    address,
    host: hosts.find((one) => isSameAddress(one.address ?? '', address)),
  }))
  const labels = shown.map(({ address, host }) => `${address} (${host?.status ? nameOf(host.status) : t.notManaged})`)
  const middle = box.storage / 2
  return (
    <figure className="cluster-drawing">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t.diagramOf(labels.join(', '), networks.join(', '))}
      >
        {networkNames.map((name) => (
          <line key={name} className={`network ${name}`} x1={lines[name]} x2={lines[name]} y1="0" y2={height} />
        ))}
        {shown.map(({ address, host }, index) => (
          <ClusterNode
            key={address}
            layout={layout}
            top={topOf(index)}
            part={index === 0 ? t.first : t.node(index + 1)}
            address={address}
            host={host?.name ?? t.notManaged}
            status={host?.status}
          />
        ))}
        {storage.length > 0 ? (
          <g transform={`translate(0 ${topOf(nodes.length)})`}>
            <line className="network cluster" x1={lines.cluster} x2={boxLeft} y1={middle} y2={middle} />
            <rect className="node" x={boxLeft} width={width - boxLeft - 2} height={box.storage} rx="8" />
            <text x={boxLeft + 14} y={middle + 5} className="small">
              {t.storage(storage.length)}
              <title>{storage.join(', ')}</title>
            </text>
          </g>
        ) : null}
      </svg>
      <figcaption>
        <ul>
          {networkNames.map((name) => (
            <li key={name}>
              <svg viewBox="0 0 28 10" aria-hidden="true">
                <line className={`network ${name}`} x1="0" x2="28" y1="5" y2="5" />
              </svg>
              {t[name]} <strong>{cidrs[name]}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
