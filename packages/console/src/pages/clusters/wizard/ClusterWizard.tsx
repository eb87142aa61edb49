import SpaceBetween from '@cloudscape-design/components/space-between'
import Wizard, { type WizardProps } from '@cloudscape-design/components/wizard'
import { type ReactNode, useState } from 'react'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { DraftNotice } from '../../../components/DraftNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { ComponentStep } from './ComponentStep.tsx'
import { creationCalls } from './cluster-creation.ts'
import type { ClusterForm } from './cluster-form.ts'
import { messages } from './messages.ts'
import { NetworkStep } from './NetworkStep.tsx'
import { PackageStep } from './PackageStep.tsx'
import { PreflightStep } from './PreflightStep.tsx'
import { preflight } from './preflight.ts'
import { useClusterCreation } from './use-cluster-creation.ts'
import { useWizardData } from './use-wizard-data.ts'
import { type Step, stepProblems, wizardSteps } from './wizard-steps.ts'

interface ClusterWizardProps {
  /** Undefined for a new cluster. */
  readonly pluginUuid?: string
  readonly initialForm: ClusterForm
  readonly isReconfiguration?: boolean
}

export function ClusterWizard({ pluginUuid, initialForm, isReconfiguration = false }: ClusterWizardProps) {
  const t = useMessages(messages)
  const draft = useFormDraft(`cluster ${pluginUuid ?? ''}`, initialForm)
  const { form, setForm } = draft
  const [active, setActive] = useState(0)
  const [showProblems, setShowProblems] = useState(false)
  const data = useWizardData(pluginUuid, form)
  const creation = useClusterCreation(pluginUuid, draft.discard)
  const steps = wizardSteps(form.kind, pluginUuid === undefined)
  const step = steps[active] ?? 'component'
  const problems = stepProblems(step, form, data.canForm)
  const checks = preflight(form, { ...data, takenBy: data.package?.takenBy })
  const isRefused = step === 'preflight' && checks.some(({ level }) => level === 'error')
  const isWrong = isRefused || Object.keys(problems).length > 0
  const parts = {
    form,
    problems,
    showProblems,
    onChange: (change: Partial<ClusterForm>) => setForm({ ...form, ...change }),
  }
  const contents: Record<Step, () => ReactNode> = {
    component: () => <ComponentStep {...parts} />,
    software: () => <PackageStep {...parts} data={data} />,
    network: () => (
      <NetworkStep
        {...parts}
        hosts={data.hosts}
        packageHostUuid={data.package?.hostUuid}
        isReconfiguration={isReconfiguration}
      />
    ),
    preflight: () => (
      <PreflightStep form={form} checks={checks} hosts={data.hosts} isReconfiguration={isReconfiguration} />
    ),
  }
  const wizardStep = (name: Step): WizardProps.Step => ({
    title: t[name],
    description: t[`${name}Intro`],
    ...(showProblems && isWrong && name === step ? { errorText: isRefused ? t.preflightFailed : t.invalid } : {}),
    content: (
      <SpaceBetween size="l">
        {draft.isRestored ? <DraftNotice draft={draft} /> : null}
        {data.error ? <ErrorAlert error={data.error} /> : null}
        {contents[name]()}
        {name === steps.at(-1) ? <CopyAsCommand calls={creationCalls(form, pluginUuid)} /> : null}
        {/* next to the submit button */}
        {creation.error ? <ErrorAlert error={creation.error} /> : null}
      </SpaceBetween>
    ),
  })
  const submit = (): void => (isWrong ? setShowProblems(true) : creation.submit(form))
  return (
    <Wizard
      steps={steps.map(wizardStep)}
      activeStepIndex={active}
      isLoadingNextStep={creation.isBusy}
      submitButtonText={form.kind === 'takeover' ? t.addNow : t.formNow}
      onSubmit={submit}
      onCancel={() => draft.leave(creation.leave)}
      onNavigate={({ detail }) => {
        const isForward = detail.requestedStepIndex > active
        setShowProblems(isForward && isWrong)
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
