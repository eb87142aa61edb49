import { getCandidateMiniHosts } from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import type { CandidateHostService } from './service.ts'

export const candidateHostOperations = (candidates: CandidateHostService): Binding[] => [
  handle(getCandidateMiniHosts, async ({ fields, caller }) => ({ hosts: await candidates.list(fields, caller) })),
]
