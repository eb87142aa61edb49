import SpaceBetween from '@cloudscape-design/components/space-between'
import Wizard, { type WizardProps } from '@cloudscape-design/components/wizard'
import { type ReactNode, useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { useWords } from '../../../words/words.ts'
import { ComponentStep } from './ComponentStep.tsx'
import { componentProblems, type Problems, placeProblems } from './checks.ts'
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

const ownProblems = (step: Step, form: ClusterForm): Problems => {
  if (step === 'component') return componentProblems(form)
  if (step === 'places') return placeProblems(form)
  return step === 'software' && form.softwarePackageUuid === ''
    ? { softwarePackageUuid: { kind: 'needed', value: '' } }
    : {}
}

export function ClusterWizard({ pluginUuid, begin, isAgain = false }: ClusterWizardProps) {
  const say = useWords(words)
  const [form, setForm] = useState(begin)
  const [active, setActive] = useState(0)
  const [isTried, setTried] = useState(false)
  const known = useKnown(pluginUuid)
  const forming = useForming(pluginUuid)
  const toForm: Step[] = ['software', 'places', 'preflight']
  const added: Step[] = form.kind === 'takeover' ? ['component'] : ['component', ...toForm]
  const steps = pluginUuid === undefined ? added : toForm
  const step = steps[active] ?? 'component'
  const problems = ownProblems(step, form)
  const chosen = known.packages.find(({ uuid }) => uuid === form.softwarePackageUuid)
  const checks = preflight(form, { ...known, package: chosen, takenBy: chosen?.takenBy })
  const isRefused = step === 'preflight' && checks.some(({ level }) => level === 'error')
  const isWrong = isRefused || Object.keys(problems).length > 0
  const parts = { form, problems, isTried, onChange: (change: Partial<ClusterForm>) => setForm({ ...form, ...change }) }
  const contents: Record<Step, () => ReactNode> = {
    component: () => <ComponentStep {...parts} />,
    software: () => <PackageStep {...parts} packages={known.packages} hosts={known.hosts} />,
    places: () => <PlacesStep {...parts} hosts={known.hosts} isAgain={isAgain} />,
    preflight: () => <PreflightStep form={form} checks={checks} hosts={known.hosts} isAgain={isAgain} />,
  }
  const failure = known.error ?? forming.error
  const wizardStep = (name: Step): WizardProps.Step => ({
    title: say[name],
    description: say[`${name}Intro`],
    ...(isTried && isWrong && name === step ? { errorText: isRefused ? say.mendPreflight : say.mend } : {}),
    content: (
      <SpaceBetween size="l">
        {failure ? <Failure error={failure} /> : null}
        {contents[name]()}
      </SpaceBetween>
    ),
  })
  const submit = (): void => (isWrong ? setTried(true) : forming.mutate(form))
  return (
    <Wizard
      steps={steps.map(wizardStep)}
      activeStepIndex={active}
      isLoadingNextStep={forming.isPending}
      submitButtonText={form.kind === 'takeover' ? say.addNow : say.formNow}
      onSubmit={submit}
      onCancel={() => go(linkTo(pluginUuid === undefined ? ['clusters'] : ['clusters', pluginUuid]))}
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
