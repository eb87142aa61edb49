import type { SecondFactorChallenge } from '@wharf/contract'
import { WharfError } from '@wharf/sdk'
import { useState } from 'react'

/** A sign-in with its second step, which follows when the server requires it. */
export function useSignIn(
  logIn: (secondFactor: string | undefined, challenge?: SecondFactorChallenge) => Promise<void>,
) {
  const [challenge, setChallenge] = useState<SecondFactorChallenge>()
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const attempt = async (prove: () => Promise<string | undefined>): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await logIn(await prove(), challenge)
    } catch (error) {
      setCode('')
      const required = error instanceof WharfError && error.code === 'ID.1007' ? error.opaque?.secondFactor : undefined
      if (required) setChallenge(required)
      else setFailure(error)
      setBusy(false)
    }
  }
  return {
    challenge,
    code,
    setCode,
    isBusy,
    failure,
    submit: () => attempt(async () => (challenge ? code : undefined)),
    usePasskey: (prove: () => Promise<string>) => void attempt(prove),
    /** Back to the names and the password. */
    restart: () => {
      setChallenge(undefined)
      setFailure(undefined)
    },
  }
}
