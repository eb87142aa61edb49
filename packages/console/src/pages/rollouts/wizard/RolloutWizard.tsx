import SpaceBetween from '@cloudscape-design/components/space-between'
import Wizard, { type WizardProps } from '@cloudscape-design/components/wizard'
import { useMutation } from '@tanstack/react-query'
import { createRollout } from '@wharf/contract'
import { type ReactNode, useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { DraftNotice } from '../../../components/DraftNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useTimeZone } from '../../../i18n/time-zone.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { methodProblems, targetProblems } from './form-problems.ts'
import { MethodStep } from './MethodStep.tsx'
import { messages } from './messages.ts'
import { PlanStep } from './PlanStep.tsx'
import { newRollout, type RolloutForm, rolloutInput } from './rollout-form.ts'
import { TargetStep } from './TargetStep.tsx'
import { usePlan } from './use-plan.ts'
import { useReleaseConfig } from './use-release-config.ts'
import { type Step, wizardSteps } from './wizard-steps.ts'

/** Release and hosts, how, and the plan of a dry run; then the rollout is created. */
export function RolloutWizard({ releaseUuid }: { releaseUuid: string }) {
  const t = useMessages(messages)
  const { rollouts } = useWharf()
  const zone = useTimeZone()
  // a configuration may contain secrets
  const draft = useFormDraft<RolloutForm>(
    'rollout',
    { ...newRollout, releaseUuid },
    { secrets: () => ['config', 'configText'] },
  )
  const { form, setForm } = draft
  const [active, setActive] = useState(0)
  const [showProblems, setShowProblems] = useState(false)
  const step = wizardSteps[active] ?? 'target'
  const release = useReleaseConfig(form)
  const problems = step === 'target' ? targetProblems(form) : methodProblems(form, zone, Date.now())
  const isConfigWrong = step === 'method' && (release.problems.size > 0 || !release.isLoaded)
  const isWrong = step !== 'plan' && (Object.keys(problems).length > 0 || isConfigWrong)
  const input = rolloutInput(form, release.config, zone)
  const plan = usePlan(input, step === 'plan')
  const creation = useMutation({
    mutationFn: () => rollouts.create(input),
    onSuccess: ({ inventory }) => {
      draft.discard()
      navigate(linkTo(inventory ? ['rollouts', inventory.uuid] : ['rollouts']), { replace: true })
    },
  })
  const parts = {
    form,
    problems,
    showProblems,
    onChange: (change: Partial<RolloutForm>) => setForm((before) => ({ ...before, ...change })),
  }
  const shownInput = { ...input, ...(release.shownConfig && { config: release.shownConfig }) }
  const contents: Record<Step, () => ReactNode> = {
    target: () => <TargetStep {...parts} />,
    method: () => <MethodStep {...parts} release={release} />,
    plan: () => <PlanStep plan={plan} input={shownInput} />,
  }
  const wizardStep = (name: Step): WizardProps.Step => ({
    title: t.stepTitles[name],
    description: t.stepIntros[name],
    ...(showProblems && isWrong && name === step ? { errorText: t.invalid } : {}),
    content: (
      <SpaceBetween size="l">
        {draft.isRestored ? <DraftNotice draft={draft} /> : null}
        {contents[name]()}
        {name === 'plan' ? <CopyAsCommand calls={[{ operation: createRollout, input: shownInput }]} /> : null}
        {/* next to the submit button */}
        {creation.error ? <ErrorAlert error={creation.error} /> : null}
      </SpaceBetween>
    ),
  })
  return (
    <Wizard
      steps={wizardSteps.map(wizardStep)}
      activeStepIndex={active}
      isLoadingNextStep={creation.isPending || (step === 'plan' && plan.isFetching)}
      submitButtonText={t.create}
      onSubmit={() => creation.mutate()}
      onCancel={() => draft.leave(() => navigate(linkTo(['rollouts'])))}
      onNavigate={({ detail }) => {
        const isForward = detail.requestedStepIndex > active
        setShowProblems(isForward && isWrong)
        if (!isForward || !isWrong) {
          creation.reset()
          setActive(detail.requestedStepIndex)
        }
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
