import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { box, type Layout, networkNames } from './diagram-layout.ts'

interface ClusterNodeProps {
  readonly layout: Layout
  readonly top: number
  readonly part: string
  readonly address: string
  readonly host: string
  /** The status of the host; undefined if no managed host has this address. */
  readonly status: string | undefined
}

/** Longer IPv6 addresses use a smaller font. */
const longAddress = 20

/** A node on its three networks; a dotted management line means that Wharf cannot reach the host. */
export function ClusterNode({ layout, top, part, address, host, status }: ClusterNodeProps) {
  const { width, lines, boxLeft } = layout
  const nameOf = useStatusNames()
  const isUnreachable = status !== undefined && status !== 'Connected'
  const text = { x: boxLeft + 14 }
  return (
    <g transform={`translate(0 ${top})`}>
      {networkNames.map((name, index) => {
        const y = 18 + index * 21
        const lineClass = name === 'management' && isUnreachable ? 'network away' : `network ${name}`
        return (
          <g key={name}>
            <line className={lineClass} x1={lines[name]} x2={boxLeft} y1={y} y2={y} />
            <circle className={`joint ${name}`} cx={lines[name]} cy={y} r="5" />
          </g>
        )
      })}
      <rect
        className={isUnreachable ? 'node away' : 'node'}
        x={boxLeft}
        width={width - boxLeft - 2}
        height={box.height}
        rx="8"
      />
      <text {...text} y="23" className="small">
        {part}
      </text>
      <text {...text} y="45" className={address.length > longAddress ? 'address long' : 'address'}>
        {address}
      </text>
      <text {...text} y="65" className="small">
        {host}
      </text>
      {status === undefined ? null : (
        <g transform={`translate(${width - 18} 18)`}>
          <circle className={`state ${status}`} r="6" />
          <text x="-12" y="5" className="small" textAnchor="end">
            {nameOf(status)}
          </text>
        </g>
      )}
    </g>
  )
}
