import { inventory, operation } from './operation.ts'
import { Flag, List, Name, optional, orNull } from './schema.ts'

const since = '3.6.0'

export const CandidateHost = inventory({
  name: 'CandidateHost',
  since,
  events: ['Host'],
  fields: {
    hostName: orNull(Name()),
    ipv4Address: orNull(Name()),
    ipv6Address: orNull(Name()),
    ipv4Interface: orNull(Name()),
    ipv6Interface: orNull(Name()),
    manufacturer: orNull(Name()),
    product: orNull(Name({ description: 'The model' })),
    sn: orNull(Name({ description: 'The serial number; null when the manufacturer left it blank' })),
  },
})

export const getCandidateMiniHosts = operation({
  name: 'GetCandidateMiniHosts',
  client: 'candidateHosts.list',
  resource: 'candidate-hosts',
  method: 'GET',
  path: '/v1/mini-clusters/candidate-hosts',
  summary: 'List hosts that announce themselves and are not added yet',
  since,
  permission: 'read',
  fields: {
    local: optional(Flag({ description: 'Only hosts in the networks of the node that answers' })),
    configure: optional(Flag({ since: '0.6', description: 'Include hosts that are already added' })),
  },
  answer: { hosts: List(CandidateHost.schema, { maxItems: 4096 }) },
})
