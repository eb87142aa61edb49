import type { TargetState } from '@wharf/contract'
import type { Step } from '../../../jobs/definition.ts'
import type { TargetEnd, TargetInput } from '../target-end.ts'

/** The target has the state of the step that runs; steps that are not named keep the state before them. */
export const markState =
  <Input extends TargetInput, Results>(ends: TargetEnd, states: Readonly<Record<string, TargetState>>) =>
  (step: Step<Input, Results>): Step<Input, Results> => {
    const state = states[step.name]
    if (state === undefined) return step
    return {
      ...step,
      run: async (context) => {
        await context.write((tx) => ends.mark(tx, context.input, state))
        return (await step.run(context)) ?? {}
      },
    }
  }
