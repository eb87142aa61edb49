export type Choice = string | { readonly value: string; readonly label: string }

/** Formats chosen values for the filter; a value without a label is shown as it is. */
export function labelsIn(choices: readonly Choice[]): (values: unknown) => string {
  const labels = new Map(choices.flatMap((one) => (typeof one === 'string' ? [] : [[one.value, one.label] as const])))
  return (values) =>
    [values]
      .flat()
      .map((value) => labels.get(String(value)) ?? String(value))
      .join(', ')
}
