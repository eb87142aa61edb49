/**
 * The hosts that a record belongs to. A caller with a scope finds a record only when all of its hosts are within the scope.
 */
export type RecordScope =
  /** None: the role of the caller decides alone. */
  | 'byRole'
  /** All: nobody with a scope finds it. */
  | 'nobody'
  /** The host that this column names; `otherwise` decides about a record whose column is null. */
  | { readonly host: string; readonly otherwise?: HostlessRecord }
  /** The hosts of these rows, whose column `by` names the record. */
  | { readonly hostsIn: string; readonly by: string; readonly otherwise?: HostlessRecord }
  /** The machines of a cluster: the host of its package, and the hosts with one of its addresses. */
  | 'cluster'
  /** Those of the record that this column names. */
  | { readonly like: string; readonly of: string }
  /** Those of the record in `in` whose column `by` names this one; without one nobody with a scope finds it. */
  | { readonly likeIn: string; readonly by: string }
  /**
   * Those of a record of any type, by its uuid and its event type; `or` is another way to find it, and `otherwise` decides about one
   * that names no record.
   */
  | { readonly likeAny: string; readonly type: string; readonly or?: RecordScope; readonly otherwise?: HostlessRecord }
  /** Those of the host that a job works on and those of its subject; a job without either belongs to its user. */
  | 'job'

/** Who finds a record without a host: everyone by their role, its user, or nobody with a scope. */
export type HostlessRecord = 'byRole' | 'user' | 'nobody'
