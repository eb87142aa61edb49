/** The states of the API. `docs/migration.md` maps the states of libvirt to them. */
export type VmState = 'Running' | 'Paused' | 'Stopping' | 'Stopped' | 'Crashed' | 'Suspended' | 'Unknown'

export interface ListedVm {
  /** Its name on the hypervisor. */
  readonly name: string
  readonly state: VmState
}

interface Options {
  readonly signal: AbortSignal
}

/** Every operation on the hypervisor of a host. Each is idempotent. Failures are MIGRATE.1001, or those of the host. */
export interface Hypervisor {
  /** Every defined VM by uuid, including those that Wharf did not create. */
  list(options: Options): Promise<Map<string, ListedVm>>
  /** Creates or replaces the definition of the VM. */
  define(xml: string, options: Options): Promise<void>
  /** Succeeds when it already runs, and lets it start with its host. */
  start(uuid: string, options: Options): Promise<void>
  /**
   * Stops the VM and removes its definition, not its disks; succeeds when it does not exist. False when Wharf did not create
   * the VM with this uuid, which is then left unchanged.
   */
  remove(uuid: string, options: Options): Promise<boolean>
}
