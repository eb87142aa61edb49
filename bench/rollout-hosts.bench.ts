import type { Figure } from './measure.ts'
import { measureInOwnNetwork } from './simulated-hosts/own-network.ts'

/** A rollout of a tiny package to a thousand hosts, each reached by ssh. HOSTS=100 makes it smaller. */
export const rolloutHosts = (): Promise<Figure[]> => measureInOwnNetwork('measure-rollout.ts')
