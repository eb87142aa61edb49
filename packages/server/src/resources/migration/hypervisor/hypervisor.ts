/** What a VM does, in our words. `docs/migration.md` says which word of libvirt each of them is. */
export type VmState = 'Running' | 'Paused' | 'Stopping' | 'Stopped' | 'Crashed' | 'Suspended' | 'Unknown'

export interface KnownVm {
  /** As the hypervisor calls it. */
  readonly name: string
  readonly state: VmState
}

interface Options {
  readonly signal: AbortSignal
}

/** Everything Wharf does to the hypervisor of a host. Each may be done twice. Failures are MIGRATE.1001, or the host's. */
export interface Hypervisor {
  /** Every VM that it knows, whoever made it, by uuid. */
  list(options: Options): Promise<Map<string, KnownVm>>
  /** Makes the VM known, or changes what is known of it. */
  define(xml: string, options: Options): Promise<void>
  /** Fine when it runs. It also starts with its host from now on. */
  start(uuid: string, options: Options): Promise<void>
  /**
   * Stops it at once and forgets it; fine when it is not there. Its disks stay. False when there is one with this uuid
   * that Wharf has not made: nothing happens to that.
   */
  remove(uuid: string, options: Options): Promise<boolean>
}
