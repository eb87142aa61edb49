import { createRecoveryCodes } from '@wharf/contract'
import { useEffect } from 'react'
import { useApiMutation } from '../data/api-query.ts'
import { forgetEnteredPassword } from '../data/session.ts'
import { RecoveryCodes } from '../features/second-factor/RecoveryCodes.tsx'

/** After a sign-in that has enrolled an authenticator app: shows the recovery codes. */
export default function EnrolledAtSignIn({ password }: { password: string }) {
  const { mutate, data } = useApiMutation(createRecoveryCodes)
  useEffect(() => mutate({ password }), [mutate, password])
  const codes = data?.recoveryCodes
  return codes ? <RecoveryCodes codes={codes} onDismiss={forgetEnteredPassword} /> : null
}
