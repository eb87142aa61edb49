import type { Figure } from './measure.ts'
import { measureInOwnNetwork } from './simulated-hosts/own-network.ts'

/** A server with a thousand hosts, each reached by ssh. HOSTS=100 makes it smaller. */
export const hosts = (): Promise<Figure[]> => measureInOwnNetwork('measure-hosts.ts')
