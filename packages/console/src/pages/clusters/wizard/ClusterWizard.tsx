import SpaceBetween from '@cloudscape-design/components/space-between'
import Wizard, { type WizardProps } from '@cloudscape-design/components/wizard'
import { type ReactNode, useState } from 'react'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useMessages } from '../../../i18n/messages.ts'
import { ComponentStep } from './ComponentStep.tsx'
import type { ClusterForm } from './cluster-form.ts'
import { componentProblems, networkProblems, type Problems, softwareProblems } from './form-problems.ts'
import { messages } from './messages.ts'
import { NetworkStep } from './NetworkStep.tsx'
import { PackageStep } from './PackageStep.tsx'
import { PreflightStep } from './PreflightStep.tsx'
import { preflight } from './preflight.ts'
import { useClusterCreation } from './use-cluster-creation.ts'
import { useWizardData } from './use-wizard-data.ts'

interface ClusterWizardProps {
  /** None is added yet where this is missing. */
  readonly pluginUuid?: string
  readonly begin: ClusterForm
  readonly isAgain?: boolean
}

type Step = 'component' | 'software' | 'places' | 'preflight'

const ownProblems = (step: Step, form: ClusterForm, canForm: boolean | undefined): Problems => {
  if (step === 'component') return componentProblems(form)
  if (step === 'places') return networkProblems(form)
  return step === 'software' ? softwareProblems(form, canForm) : {}
}

export function ClusterWizard({ pluginUuid, begin, isAgain = false }: ClusterWizardProps) {
  const t = useMessages(messages)
  const [form, setForm] = useState(begin)
  const [active, setActive] = useState(0)
  const [isTried, setTried] = useState(false)
  const known = useWizardData(pluginUuid, form)
  const forming = useClusterCreation(pluginUuid)
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
    places: () => <NetworkStep {...parts} hosts={known.hosts} isAgain={isAgain} />,
    preflight: () => <PreflightStep form={form} checks={checks} hosts={known.hosts} isAgain={isAgain} />,
  }
  const wizardStep = (name: Step): WizardProps.Step => ({
    title: t[name],
    description: t[`${name}Intro`],
    ...(isTried && isWrong && name === step ? { errorText: isRefused ? t.mendPreflight : t.mend } : {}),
    content: (
      <SpaceBetween size="l">
        {known.error ? <ErrorAlert error={known.error} /> : null}
        {contents[name]()}
        {/* beside the button that was pressed */}
        {forming.error ? <ErrorAlert error={forming.error} /> : null}
      </SpaceBetween>
    ),
  })
  const submit = (): void => (isWrong ? setTried(true) : forming.submit(form))
  return (
    <Wizard
      steps={steps.map(wizardStep)}
      activeStepIndex={active}
      isLoadingNextStep={forming.isBusy}
      submitButtonText={form.kind === 'takeover' ? t.addNow : t.formNow}
      onSubmit={submit}
      onCancel={forming.leave}
      onNavigate={({ detail }) => {
        const isForward = detail.requestedStepIndex > active
        setTried(isForward && isWrong)
        if (!isForward || !isWrong) setActive(detail.requestedStepIndex)
      }}
      i18nStrings={{
        stepNumberLabel: t.step,
        collapsedStepsLabel: t.steps,
        navigationAriaLabel: t.navigation,
        cancelButton: t.cancel,
        previousButton: t.previous,
        nextButton: t.next,
        optional: t.optional,
      }}
    />
  )
}
