export type Choice = string | { readonly value: string; readonly label: string }

/** What chosen values are called in the filter; one without a label, or none of these, as itself. */
export function labelsIn(choices: readonly Choice[]): (values: unknown) => string {
  const labels = new Map(choices.flatMap((one) => (typeof one === 'string' ? [] : [[one.value, one.label] as const])))
  return (values) =>
    [values]
      .flat()
      .map((value) => labels.get(String(value)) ?? String(value))
      .join(', ')
}
