import { Client, type ServerProcess } from '@wharf/testkit'

type Headers_ = Record<string, string>

/** For a GET of this path by the admin's access key; good for a quarter of an hour. */
export const signed = ({ admin }: ServerProcess, path: string): Headers_ => admin.authorization('GET', path)

/** The same by RFC 9421; good for five minutes. The path has its query. */
export const signedByMessage = ({ admin, bootstrap }: ServerProcess, path: string): Headers_ => {
  const { accessKeyId: id, accessKeySecret: key } = bootstrap
  return new Client(admin.url, { kind: 'message', id, key }).authorization('GET', path)
}

/** A session of the admin. */
export async function session({ anonymous, bootstrap: { password } }: ServerProcess): Promise<Headers_> {
  const logInByAccount = { accountName: 'admin', password }
  const { status, body, text } = await anonymous.put('/v1/accounts/login', { logInByAccount })
  if (status !== 200) throw new Error(text)
  return { authorization: `OAuth ${(body.inventory as { uuid: string }).uuid}` }
}
