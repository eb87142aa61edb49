/** The operations and records of the API, for `wharf.call(operation, …)`. */
export * from '@wharf/contract'
