import { UserInventory } from './accounts.ts'
import { inventory, operation } from './operation.ts'
import {
  Choice,
  Flag,
  Integer,
  List,
  Name,
  optional,
  orNull,
  SecretText,
  shownOnce,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'
import { password } from './shared-fields.ts'

const since = 'wharf-1.1.0'
const resource = 'identity'
const path = '/v1/caller-identity/actions'

/** The proof of a second factor in a call: text, so that every client can send it. */
export const secondFactorText = (description: string) => SecretText(8192, { since, description })

const factorOf = (structure: string): string =>
  `Proves a second factor before ${structure}: a code of the authenticator app, a recovery code, or the assertion of a passkey as JSON`

export const PasskeyInventory = inventory({
  name: 'PasskeyInventory',
  since,
  events: ['User'],
  fields: {
    uuid: Uuid(),
    name: Name({ description: 'Chosen by the user, to recognise the device' }),
    createDate: Timestamp(),
    lastUsedDate: orNull(Timestamp({ description: 'When it last proved a sign-in; null before the first' })),
  },
})

export const SecondFactorInventory = inventory({
  name: 'SecondFactorInventory',
  since,
  events: ['User'],
  fields: {
    isRequired: Flag({ description: 'True if this server requires a second factor of the user' }),
    authenticatorDate: orNull(
      Timestamp({ description: 'When the authenticator app was enrolled; null if there is none' }),
    ),
    recoveryCodes: Integer(0, 10, { description: 'How many recovery codes are left' }),
    passkeys: List(PasskeyInventory.schema, { description: 'The passkeys of the user, newest first' }),
  },
})

const recoveryCodes = orNull(
  shownOnce(
    List(Text(64), {
      description: 'Ten codes that replace the second factor once each; null if the user has some already',
    }),
  ),
)

export const getSecondFactors = operation({
  name: 'GetSecondFactors',
  client: 'secondFactors.get',
  resource,
  method: 'GET',
  path: '/v1/caller-identity/second-factors',
  summary: 'Get the second factors of the caller',
  since,
  permission: 'own',
  fields: {},
  answer: { inventory: SecondFactorInventory.schema },
})

export const enrolAuthenticator = operation({
  name: 'EnrolAuthenticator',
  client: 'secondFactors.enrolAuthenticator',
  resource,
  method: 'PUT',
  path,
  structure: 'enrolAuthenticator',
  summary: 'Create the secret of an authenticator app (TOTP, RFC 6238); confirmAuthenticator puts it into effect',
  since,
  permission: 'own',
  fields: { password: password('The current password of the caller') },
  answer: {
    secret: orNull(shownOnce(Text(64, { description: 'In Base32, to type into the app' }))),
    uri: orNull(shownOnce(Text(1024, { description: 'The otpauth URI of the QR code' }))),
  },
  errors: ['SYS.1006'],
})

export const confirmAuthenticator = operation({
  name: 'ConfirmAuthenticator',
  client: 'secondFactors.confirmAuthenticator',
  resource,
  method: 'PUT',
  path,
  structure: 'confirmAuthenticator',
  summary: 'Put an authenticator app into effect by its first code; from then on each sign-in requires a second factor',
  since,
  permission: 'own',
  fields: { code: SecretText(16, { description: 'The code that the app shows' }) },
  answer: { recoveryCodes },
  errors: ['SYS.1006'],
})

export const removeAuthenticator = operation({
  name: 'RemoveAuthenticator',
  client: 'secondFactors.removeAuthenticator',
  resource,
  method: 'PUT',
  path,
  structure: 'removeAuthenticator',
  summary: 'Remove the authenticator app of the caller',
  since,
  permission: 'own',
  fields: { secondFactor: secondFactorText(factorOf('the removal')) },
  answer: {},
  errors: ['SYS.1006'],
})

export const createRecoveryCodes = operation({
  name: 'CreateRecoveryCodes',
  client: 'secondFactors.createRecoveryCodes',
  resource,
  method: 'PUT',
  path,
  structure: 'createRecoveryCodes',
  summary: 'Replace the recovery codes of the caller',
  since,
  permission: 'own',
  fields: { password: password('The current password of the caller') },
  answer: { recoveryCodes },
  errors: ['SYS.1006'],
})

export const createPasskeyChallenge = operation({
  name: 'CreatePasskeyChallenge',
  client: 'secondFactors.createPasskeyChallenge',
  resource,
  method: 'PUT',
  path,
  structure: 'createPasskeyChallenge',
  summary: 'Create the options with which a browser creates a passkey, or proves one; valid for five minutes',
  since,
  permission: 'own',
  fields: {
    purpose: Choice(['create', 'prove'], { description: 'create: for createPasskey; prove: for a secondFactor' }),
    password: optional(password('The current password of the caller, to create a passkey')),
  },
  answer: {
    options: orNull(shownOnce(Text(16_384, { description: 'JSON: the options of navigator.credentials' }))),
  },
  errors: ['SYS.1006'],
})

export const createPasskey = operation({
  name: 'CreatePasskey',
  client: 'secondFactors.createPasskey',
  resource,
  method: 'PUT',
  path,
  structure: 'createPasskey',
  summary: 'Store a passkey that the browser has created; from then on each sign-in requires a second factor',
  since,
  permission: 'own',
  fields: {
    name: Name({ description: 'To recognise the device' }),
    response: SecretText(16_384, { description: 'JSON: what navigator.credentials.create returned' }),
  },
  answer: { inventory: PasskeyInventory.schema, recoveryCodes },
  errors: ['SYS.1002', 'SYS.1006'],
})

export const removePasskey = operation({
  name: 'RemovePasskey',
  client: 'secondFactors.removePasskey',
  resource,
  method: 'PUT',
  path,
  structure: 'removePasskey',
  summary: 'Remove a passkey of the caller',
  since,
  permission: 'own',
  fields: {
    passkey: Text(64, { minLength: 1, description: 'The uuid of the passkey' }),
    secondFactor: secondFactorText(factorOf('the removal')),
  },
  answer: {},
  errors: ['SYS.1003', 'SYS.1006'],
})

export const removeSecondFactors = operation({
  name: 'RemoveSecondFactors',
  client: 'users.removeSecondFactors',
  resource,
  method: 'PUT',
  path: '/v1/users/{uuid}/actions',
  structure: 'removeSecondFactors',
  summary: 'Remove every second factor of another user, who has lost them',
  since,
  permission: 'administer',
  fields: {},
  answer: { inventory: UserInventory.schema },
  errors: ['SYS.1003', 'SYS.1006'],
})
