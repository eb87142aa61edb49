import Button from '@cloudscape-design/components/button'
import Form from '@cloudscape-design/components/form'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { addHost } from '@wharf/contract'
import { type FormEvent, useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { CopyAsCommand } from '../../../components/copy-command/CopyAsCommand.tsx'
import { DraftNotice } from '../../../components/DraftNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useApiMutation } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { HostKey } from './HostKey.tsx'
import { HostMachine } from './HostMachine.tsx'
import { HostSignIn } from './HostSignIn.tsx'
import { inputOf, newHostForm, problemsOf } from './host-form.ts'
import { messages } from './messages.ts'
import { useHostKeys } from './use-host-keys.ts'

/** A host is added only with a confirmed host key. For a candidate it is loaded automatically. */
export function AddHost({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const initialForm = newHostForm(search)
  const draft = useFormDraft(`host ${initialForm.address}`, initialForm)
  const { form, setForm } = draft
  const [showProblems, setShowProblems] = useState(false)
  const keys = useHostKeys(form)
  const adding = useApiMutation(addHost)
  const refusal = useRefusal()(addHost)
  const problems = problemsOf(form)
  const isSsh = form.driver === 'ssh'
  const isComplete = Object.keys(problems).length === 0
  const needsKey = isSsh && keys.chosen === undefined
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setShowProblems(true)
    if (refusal || !isComplete || adding.isPending || keys.isLoading) return
    if (needsKey) return keys.load()
    const { inventory } = await adding.mutateAsync(inputOf(form, keys.chosen))
    draft.discard()
    navigate(linkTo(['hosts', inventory.uuid]), { replace: true })
  }
  const parts = {
    form,
    problems: showProblems ? problems : {},
    onChange: (change: Partial<typeof form>) => setForm({ ...form, ...change }),
  }
  return (
    // `adding.error` has the reason
    <form onSubmit={(event) => void submit(event).catch(() => {})}>
      <Form
        header={
          <Header variant="h1" description={t.intro}>
            {t.title}
          </Header>
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <CopyAsCommand calls={[{ operation: addHost, input: inputOf(form, keys.chosen) }]} />
            <Button variant="link" formAction="none" onClick={() => navigate(linkTo(['hosts']))}>
              {t.cancel}
            </Button>
            <Button variant="primary" loading={adding.isPending || keys.isLoading} {...refusal}>
              {needsKey ? t.getKey : isSsh ? t.trust : t.addLocal}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          <NotAllowed refusal={refusal} />
          {draft.isRestored ? <DraftNotice draft={draft} /> : null}
          <HostMachine {...parts} />
          {isSsh ? <HostSignIn {...parts} /> : null}
          {isSsh ? (
            <HostKey
              address={form.address}
              shown={keys.shown}
              chosen={keys.chosen}
              isLoading={keys.isLoading}
              canLoad={problems.address === undefined && problems.sshPort === undefined}
              onChoose={keys.choose}
              onLoad={() => void keys.load()}
            />
          ) : null}
          {keys.error ? <ErrorAlert error={keys.error} /> : null}
          {adding.error ? <ErrorAlert error={adding.error} /> : null}
        </SpaceBetween>
      </Form>
    </form>
  )
}
