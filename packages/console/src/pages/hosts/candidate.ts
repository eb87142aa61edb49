import type { AnswerOf, getCandidateMiniHosts } from '@wharf/contract'

export type Candidate = AnswerOf<typeof getCandidateMiniHosts>['hosts'][number]

export const addressOf = ({
  ipv4Address,
  ipv6Address,
  hostName,
}: Pick<Candidate, 'ipv4Address' | 'ipv6Address' | 'hostName'>): string => ipv4Address ?? ipv6Address ?? hostName ?? ''

/** The host name without the domain of multicast DNS. */
export const nameOf = ({ hostName }: Pick<Candidate, 'hostName'>): string | undefined =>
  hostName?.replace(/\.local\.?$/, '')

export const modelOf = ({ manufacturer, product }: Pick<Candidate, 'manufacturer' | 'product'>): string =>
  [manufacturer, product].filter(Boolean).join(' ') || '–'
