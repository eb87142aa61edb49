import { listOidcProviders, logInByOidc, startOidcSignIn } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { handle } from '../calls/bind.ts'
import {
  type BrowserCookie,
  cookieNameOf,
  type OidcSignIns,
  signInValidSeconds,
} from '../resources/identity/oidc/sign-ins.ts'
import { answerWith, type ServedBinding } from './exchange.ts'

/** Sign-ins with identity providers. A cookie binds each to the browser that started it. */
export const oidcOperations = ({ signIns }: { signIns: OidcSignIns }): ServedBinding[] => [
  handle(listOidcProviders, () => ({ inventories: signIns.providers() })),
  answerWith(startOidcSignIn, async ({ fields: { provider, address: given }, address, source }, { reply }) => {
    const base = given === undefined ? address() : readAddress(given)
    const { url, cookie } = await signIns.start(provider, base, source)
    reply.header('set-cookie', cookieText(cookie, base))
    return { url }
  }),
  answerWith(logInByOidc, async ({ fields: { provider, response }, source, userAgent }, { request }) => {
    const browser = readCookie(request.headers.cookie, cookieNameOf(response))
    return { inventory: await signIns.finish(provider, response, browser ?? '', { source, userAgent }) }
  }),
]

/** The provider accepts only addresses that are registered with it. */
function readAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || /[?#;\s]/.test(given))
    throw invalid('startOidcSignIn.address must be an http or https address without user, query and fragment')
  return url.href.replace(/\/+$/, '')
}

/** Lax: a browser that returns from the provider sends it, and another site cannot use it. It expires with the sign-in. */
function cookieText({ name, value }: BrowserCookie, address: string): string {
  const { pathname, protocol } = new URL(`${address}/v1/oidc`)
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${name}=${value}; Path=${pathname}; Max-Age=${signInValidSeconds}; HttpOnly; SameSite=Lax${secure}`
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = (header ?? '').split(';').find((one) => one.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}
