/** The result of the work, or undefined when it takes longer. The SDK's own version would slow down every start. */
export const withDeadline = <T>(work: Promise<T> | undefined, ms: number): Promise<T | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined).unref())])
