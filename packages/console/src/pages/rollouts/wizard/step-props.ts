import type { FormProblems } from './form-problems.ts'
import type { RolloutForm } from './rollout-form.ts'

export interface StepProps {
  readonly form: RolloutForm
  readonly problems: FormProblems
  /** Marks empty required fields too, after an attempt to continue. */
  readonly showProblems: boolean
  readonly onChange: (change: Partial<RolloutForm>) => void
}
