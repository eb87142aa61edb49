import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { ErrorAlert } from '../components/ErrorAlert.tsx'
import { listOidcProviders, startOidcSignIn, useReturnedSignIn } from '../data/oidc-sign-in.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface Provider {
  readonly id: string
  readonly label: string
}

/** A button for each identity provider, and why the last sign-in with one failed. */
export function ProviderButtons() {
  const t = useMessages(messages)
  const [providers, setProviders] = useState<readonly Provider[]>([])
  const [chosen, setChosen] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const returned = useReturnedSignIn()
  useEffect(() => {
    // the form with the password does not depend on it
    listOidcProviders().then(setProviders, () => {})
  }, [])
  const start = async (id: string): Promise<void> => {
    setChosen(id)
    setFailure(undefined)
    try {
      await startOidcSignIn(id)
    } catch (error) {
      setFailure(error)
      setChosen(undefined)
    }
  }
  const shown = failure ?? returned.failure
  if (providers.length === 0 && !shown) return null
  return (
    <SpaceBetween size="s">
      {shown && chosen === undefined ? <ErrorAlert error={shown} /> : null}
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          fullWidth
          formAction="none"
          loading={chosen === id}
          disabled={returned.isBusy || (chosen !== undefined && chosen !== id)}
          onClick={() => void start(id)}
        >
          {label}
        </Button>
      ))}
      {providers.length === 0 ? null : (
        <Box variant="small" color="text-body-secondary">
          {t.orPassword}
        </Box>
      )}
    </SpaceBetween>
  )
}
