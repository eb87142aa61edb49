export const networkNames = ['management', 'public', 'cluster'] as const
export type NetworkName = (typeof networkNames)[number]

/** The positions of the diagram, in units of its view box. */
export interface Layout {
  readonly width: number
  readonly lines: Readonly<Record<NetworkName, number>>
  readonly boxLeft: number
}

export const wide: Layout = { width: 460, lines: { management: 22, public: 54, cluster: 86 }, boxLeft: 126 }
/** Keeps the font size readable on a phone. */
export const narrow: Layout = { width: 330, lines: { management: 8, public: 26, cluster: 44 }, boxLeft: 66 }

export const box = { height: 78, gap: 18, top: 8, storage: 40 }
export const topOf = (index: number): number => box.top + index * (box.height + box.gap)

export const heightOf = (nodes: number, hasStorage: boolean): number =>
  topOf(nodes) - box.gap + box.top + (hasStorage ? box.gap + box.storage : 0)
