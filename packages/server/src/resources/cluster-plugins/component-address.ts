import { canonicalHost } from '@wharf/platform/canonical-host.ts'

/** Identifies a component independently of the notation of its address; unique among plugins. */
export const componentKey = ({ managementIp, apiPort }: { managementIp: string; apiPort: number }): string =>
  `${canonicalHost(managementIp)} ${apiPort}`
