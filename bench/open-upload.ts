import type { ServerProcess } from '@wharf/testkit'

export interface OpenUpload {
  /** Of the announced package. */
  readonly uuid: string
  /** Where its slices go. */
  readonly address: string
}

/** An upload in slices to this machine; `more` describes the file, such as `size=1&md5=…`. */
export async function openUpload(server: ServerProcess, installPath: string, more: string): Promise<OpenUpload> {
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const target = { hostUuid, managementNodeUuid, installPath }
  const params = { name: 'file', type: 'bench', url: `upload://file?${more}`, ...target }
  const { body, text } = await server.admin.post('/v1/software-packages/upload', { params })
  const [tag] = (body.systemTags ?? []) as string[]
  if (tag === undefined) throw new Error(text)
  return { uuid: (body.inventory as { uuid: string }).uuid, address: tag.replace('uploadUrl::', '') }
}
