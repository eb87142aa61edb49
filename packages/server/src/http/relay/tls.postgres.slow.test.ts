import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import {
  assertFailure,
  makeCertificate,
  nodeEnvironments,
  reverseCleanup,
  ServerProcess,
  sampled,
  testEngine,
} from '@wharf/testkit'

/** The second node is reached over https. Only PostgreSQL can be shared. */
if (testEngine === 'postgres') {
  const cleanup = reverseCleanup({ after })
  const [one = {}, two = {}] = await nodeEnvironments(cleanup, 2)
  const folder = join(dirname(one.WHARF_DATA ?? ''), 'tls')
  const { cert, key } = makeCertificate(folder)
  const other = makeCertificate(folder, 'other')
  const second = new ServerProcess({ ...two, WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key })

  /** A node with this trust that forwards to the second one. */
  async function callWith(trust: Record<string, string>) {
    const first = new ServerProcess({ ...one, ...trust })
    await first.start()
    try {
      const query = { managementNodeUuid: second.bootstrap.managementNodeUuid, directoryPath: '/' }
      return await first.adminOf(second).get(`/v1/software-package/directory/usage?${new URLSearchParams(query)}`)
    } finally {
      await first.kill()
    }
  }

  await second.start()
  cleanup.after(() => second.kill())

  const rows: { name: string; trust: Record<string, string>; status: number }[] = [
    { name: 'its authority is in WHARF_CA_FILE', trust: { WHARF_CA_FILE: cert }, status: 200 },
    { name: 'its authority is in NODE_EXTRA_CA_CERTS', trust: { NODE_EXTRA_CA_CERTS: cert }, status: 200 },
    { name: 'its authority is unknown', trust: {}, status: 502 },
    { name: 'only another authority is known', trust: { WHARF_CA_FILE: other.cert }, status: 502 },
  ]
  for (const { name, trust, status } of sampled(rows, 2))
    test(`${name}: ${status}`, async () => {
      const answer = await callWith(trust)
      assert.equal(answer.status, status, answer.text)
      if (status === 502) assertFailure(answer, { status, code: 'SYS.1012', details: 'self-signed certificate' })
    })
}
