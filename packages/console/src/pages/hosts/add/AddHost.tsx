import Button from '@cloudscape-design/components/button'
import Form from '@cloudscape-design/components/form'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { addHost } from '@wharf/contract'
import { type FormEvent, useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { NotAllowed } from '../../../components/NotAllowed.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useApiMutation } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { HostKey } from './HostKey.tsx'
import { HostMachine } from './HostMachine.tsx'
import { HostSignIn } from './HostSignIn.tsx'
import { inputOf, newHostForm, problemsOf } from './host-form.ts'
import { messages } from './messages.ts'
import { useHostKeys } from './use-host-keys.ts'

/** A host is added only with a key that somebody has seen. A candidate's is asked for at once: two clicks are enough. */
export function AddHost({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const [form, setForm] = useState(() => newHostForm(search))
  const [isTried, setTried] = useState(false)
  const keys = useHostKeys(form)
  const adding = useApiMutation(addHost)
  const refusal = useRefusal()(addHost)
  const problems = problemsOf(form)
  const isSsh = form.driver === 'ssh'
  const isComplete = Object.keys(problems).length === 0
  const needsKey = isSsh && keys.chosen === undefined
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    if (refusal || !isComplete || adding.isPending || keys.isConfirming) return
    if (needsKey) return keys.ask()
    const { inventory } = await adding.mutateAsync(inputOf(form, keys.chosen))
    navigate(linkTo(['hosts', inventory.uuid]), { replace: true })
  }
  const parts = {
    form,
    problems: isTried ? problems : {},
    onChange: (change: Partial<typeof form>) => setForm({ ...form, ...change }),
  }
  return (
    // the reason stands in `adding.error`
    <form onSubmit={(event) => void submit(event).catch(() => {})}>
      <Form
        header={
          <Header variant="h1" description={t.intro}>
            {t.title}
          </Header>
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={() => navigate(linkTo(['hosts']))}>
              {t.cancel}
            </Button>
            <Button variant="primary" loading={adding.isPending || keys.isConfirming} {...refusal}>
              {needsKey ? t.ask : isSsh ? t.trust : t.addLocal}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          <NotAllowed refusal={refusal} />
          <HostMachine {...parts} />
          {isSsh ? <HostSignIn {...parts} /> : null}
          {isSsh ? (
            <HostKey
              address={form.address}
              shown={keys.shown}
              chosen={keys.chosen}
              isConfirming={keys.isConfirming}
              canAsk={problems.address === undefined && problems.sshPort === undefined}
              onChoose={keys.choose}
              onAsk={() => void keys.ask()}
            />
          ) : null}
          {keys.error ? <ErrorAlert error={keys.error} /> : null}
          {adding.error ? <ErrorAlert error={adding.error} /> : null}
        </SpaceBetween>
      </Form>
    </form>
  )
}
