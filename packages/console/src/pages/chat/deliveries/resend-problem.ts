/** Why a selection cannot be resent; a key of the messages. */
export function resendProblem(
  deliveries: readonly { readonly status?: string }[],
): 'selectFirst' | 'onlyFailed' | undefined {
  if (deliveries.length === 0) return 'selectFirst'
  return deliveries.every(({ status }) => status === 'Failed') ? undefined : 'onlyFailed'
}
