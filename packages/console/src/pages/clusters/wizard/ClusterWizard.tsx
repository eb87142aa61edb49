import SpaceBetween from '@cloudscape-design/components/space-between'
import Wizard, { type WizardProps } from '@cloudscape-design/components/wizard'
import { type ReactNode, useState } from 'react'
import { Failure } from '../../../parts/Failure.tsx'
import { useWords } from '../../../words/words.ts'
import { ComponentStep } from './ComponentStep.tsx'
import { componentProblems, type Problems, placeProblems, softwareProblems } from './checks.ts'
import type { ClusterForm } from './cluster-form.ts'
import { PackageStep } from './PackageStep.tsx'
import { PlacesStep } from './PlacesStep.tsx'
import { PreflightStep } from './PreflightStep.tsx'
import { preflight } from './preflight.ts'
import { useForming } from './use-forming.ts'
import { useKnown } from './use-known.ts'
import { words } from './words.ts'

interface ClusterWizardProps {
  /** None is added yet where this is missing. */
  readonly pluginUuid?: string
  readonly begin: ClusterForm
  readonly isAgain?: boolean
}

type Step = 'component' | 'software' | 'places' | 'preflight'

const ownProblems = (step: Step, form: ClusterForm, canForm: boolean | undefined): Problems => {
  if (step === 'component') return componentProblems(form)
  if (step === 'places') return placeProblems(form)
  return step === 'software' ? softwareProblems(form, canForm) : {}
}

export function ClusterWizard({ pluginUuid, begin, isAgain = false }: ClusterWizardProps) {
  const say = useWords(words)
  const [form, setForm] = useState(begin)
  const [active, setActive] = useState(0)
  const [isTried, setTried] = useState(false)
  const known = useKnown(pluginUuid, form)
  const forming = useForming(pluginUuid)
  const toForm: Step[] = ['software', 'places', 'preflight']
  const added: Step[] = form.kind === 'takeover' ? ['component'] : ['component', ...toForm]
  const steps = pluginUuid === undefined ? added : toForm
  const step = steps[active] ?? 'component'
  const problems = ownProblems(step, form, known.canForm)
  const checks = preflight(form, { ...known, takenBy: known.package?.takenBy })
  const isRefused = step === 'preflight' && checks.some(({ level }) => level === 'error')
  const isWrong = isRefused || Object.keys(problems).length > 0
  const parts = { form, problems, isTried, onChange: (change: Partial<ClusterForm>) => setForm({ ...form, ...change }) }
  const contents: Record<Step, () => ReactNode> = {
    component: () => <ComponentStep {...parts} />,
    software: () => <PackageStep {...parts} known={known} />,
    places: () => <PlacesStep {...parts} hosts={known.hosts} isAgain={isAgain} />,
    preflight: () => <PreflightStep form={form} checks={checks} hosts={known.hosts} isAgain={isAgain} />,
  }
  const wizardStep = (name: Step): WizardProps.Step => ({
    title: say[name],
    description: say[`${name}Intro`],
    ...(isTried && isWrong && name === step ? { errorText: isRefused ? say.mendPreflight : say.mend } : {}),
    content: (
      <SpaceBetween size="l">
        {known.error ? <Failure error={known.error} /> : null}
        {contents[name]()}
        {/* beside the button that was pressed */}
        {forming.error ? <Failure error={forming.error} /> : null}
      </SpaceBetween>
    ),
  })
  const submit = (): void => (isWrong ? setTried(true) : forming.submit(form))
  return (
    <Wizard
      steps={steps.map(wizardStep)}
      activeStepIndex={active}
      isLoadingNextStep={forming.isBusy}
      submitButtonText={form.kind === 'takeover' ? say.addNow : say.formNow}
      onSubmit={submit}
      onCancel={forming.leave}
      onNavigate={({ detail }) => {
        const isForward = detail.requestedStepIndex > active
        setTried(isForward && isWrong)
        if (!isForward || !isWrong) setActive(detail.requestedStepIndex)
      }}
      i18nStrings={{
        stepNumberLabel: say.step,
        collapsedStepsLabel: say.steps,
        navigationAriaLabel: say.navigation,
        cancelButton: say.cancel,
        previousButton: say.previous,
        nextButton: say.next,
        optional: say.optional,
      }}
    />
  )
}
