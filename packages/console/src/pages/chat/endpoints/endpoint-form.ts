import type { ChatKind, SystemEventName } from '@wharf/contract'

/** The fields of the form; the server never returns the URL and the secret. */
export interface EndpointForm {
  readonly type: ChatKind
  readonly name: string
  readonly description: string
  readonly url: string
  readonly secret: string
  readonly clearsSecret: boolean
  readonly language: 'en' | 'zh'
  readonly atAll: boolean
  readonly platformUuids: readonly string[]
  readonly ownEvents: readonly SystemEventName[]
  /** Empty for the default. */
  readonly ownEventTemplate: string
  readonly isEnabled: boolean
}

export const supportsSigning = (type: ChatKind): boolean => type === 'DingTalk' || type === 'FeiShu'

export const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]/i.test(url.trim()) && URL.canParse(url.trim())

function commonFields({ name, description, language, atAll, platformUuids, ...form }: EndpointForm) {
  return {
    name: name.trim(),
    description,
    language,
    atAll,
    platformUuids: [...platformUuids],
    ownEvents: [...form.ownEvents],
    ...(form.ownEventTemplate.trim() === '' ? {} : { ownEventTemplate: form.ownEventTemplate }),
  }
}

export const isComplete = ({ name, url }: EndpointForm, isNew: boolean): boolean =>
  name.trim() !== '' && (url === '' ? !isNew : isAddress(url))

export function createInput(form: EndpointForm) {
  const { type, url, secret } = form
  return { type, url: url.trim(), ...commonFields(form), ...(supportsSigning(type) && secret !== '' ? { secret } : {}) }
}

/** The server ignores empty strings; `clear` names the fields to empty. */
export function updateInput(form: EndpointForm) {
  const { type, url, secret, clearsSecret, isEnabled } = form
  const stateEvent: 'enable' | 'disable' = isEnabled ? 'enable' : 'disable'
  const clears = supportsSigning(type) && clearsSecret
  const clear: ('secret' | 'description' | 'ownEventTemplate')[] = [
    ...(clears ? (['secret'] as const) : []),
    ...(form.description.trim() === '' ? (['description'] as const) : []),
    ...(form.ownEventTemplate.trim() === '' ? (['ownEventTemplate'] as const) : []),
  ]
  return {
    ...commonFields(form),
    stateEvent,
    clear,
    ...(url === '' ? {} : { url: url.trim() }),
    ...(supportsSigning(type) && !clears && secret !== '' ? { secret } : {}),
  }
}
