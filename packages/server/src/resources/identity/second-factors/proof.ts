import type { Tx } from '@wharf/database/database.ts'

/** A second factor that was verified, to be used in the transaction of what it permits: false if it was used before. */
export interface Proof {
  use(tx: Tx): Promise<boolean>
}
