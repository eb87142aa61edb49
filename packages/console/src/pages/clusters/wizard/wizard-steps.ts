import type { ClusterForm } from './cluster-form.ts'
import { componentProblems, networkProblems, type Problems, softwareProblems } from './form-problems.ts'

export type Step = 'component' | 'software' | 'network' | 'preflight'

const configurationSteps: readonly Step[] = ['software', 'network', 'preflight']

/** A running cluster only needs its address; an existing cluster is only configured. */
export function wizardSteps(kind: ClusterForm['kind'], isNew: boolean): readonly Step[] {
  if (!isNew) return configurationSteps
  return kind === 'takeover' ? ['component'] : ['component', ...configurationSteps]
}

/** The problems that keep the user on a step. */
export function stepProblems(step: Step, form: ClusterForm, canForm: boolean | undefined): Problems {
  if (step === 'component') return componentProblems(form)
  if (step === 'network') return networkProblems(form)
  return step === 'software' ? softwareProblems(form, canForm) : {}
}
