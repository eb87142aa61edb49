import { getCandidateMiniHosts } from './candidate-hosts.ts'
import { getElaborations } from './elaborations.ts'
import { getMigrateImages, getMigrateVmInstances } from './migration.ts'

/** Declared, so that the document is whole, and not served yet: no route answers for them. */
export const planned: ReadonlySet<string> = new Set(
  [getCandidateMiniHosts, getElaborations, getMigrateImages, getMigrateVmInstances].map((operation) => operation.name),
)
