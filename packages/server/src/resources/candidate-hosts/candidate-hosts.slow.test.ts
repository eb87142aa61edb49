import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { writeMessage } from '@wharf/announcer/dns/write-message.ts'
import { multicastPort, serviceType } from '@wharf/announcer/service-type.ts'
import {
  Client,
  HostAnnouncer,
  hostsNeedRoot,
  interfaceTo,
  runProgram,
  startAvahi,
  startHosts,
  TestServer,
  testEngine,
} from '@wharf/testkit'
import { type CandidateHost, maxCandidates } from './candidates.ts'

// without root there are no hosts with networks of their own, and nothing may be sent to the network of this machine
if (hostsNeedRoot) {
  test('hosts that announce themselves', { skip: hostsNeedRoot })
} else {
  await run()
}

async function run(): Promise<void> {
  const hosts = await startHosts({ after }, testEngine === 'sqlite' ? 3 : 1)
  const [first, second, third] = hosts
  assert.ok(first)
  const bridge = interfaceTo(first)
  const server = await TestServer.start({ after }, { environment: { WHARF_DISCOVERY: bridge } })

  const listed = async (query = '', by: Client = server.admin): Promise<CandidateHost[]> => {
    const { status, body } = await by.get(`/v1/mini-clusters/candidate-hosts${query}`)
    assert.equal(status, 200)
    return body.hosts as CandidateHost[]
  }
  const namesOf = async (query = '', by: Client = server.admin) =>
    (await listed(query, by)).map(({ hostName }) => hostName)
  /** Waits until the condition holds, and returns how long that took. */
  const within = async (ms: number, isSo: () => Promise<boolean>, by: Client = server.admin): Promise<number> => {
    const start = performance.now()
    while (!(await isSo())) {
      if (performance.now() - start > ms)
        assert.fail(`not after ${ms} ms: ${JSON.stringify(await listed('?configure=true', by))}`)
      await delay(50)
    }
    return performance.now() - start
  }
  const add = async (host: typeof first): Promise<void> => {
    const { address, port: sshPort, username, privateKey } = host
    const params = { name: host.hostname, driver: 'ssh', address, sshPort, username, privateKey }
    const { body } = await server.admin.post('/v1/hosts', { params })
    assert.equal(body.success, true, JSON.stringify(body))
  }
  const known = ['--manufacturer', 'Wharf', '--product', 'Test host']

  if (testEngine === 'postgres') {
    test('all nodes list the hosts of a node while it is alive', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const other = await TestServer.open({ ...server.environment, WHARF_DATA: folder, WHARF_DISCOVERY: 'none' })
      t.after(() => other.app.close())
      const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
      const blind = new Client(other.url, { kind: 'key', id, secret })
      await HostAnnouncer.start(t, first, ['--sn', 'SN-1', ...known])
      await within(20_000, async () => (await namesOf('', blind)).length === 1)
      assert.deepEqual(await listed('', blind), await listed())
      assert.deepEqual(await namesOf('?local=true'), [first.hostname])
      assert.deepEqual(await namesOf('?local=true', blind), [])
      assert.deepEqual(await namesOf('?local=true&configure=true', blind), [])

      await add(first)
      assert.deepEqual([await namesOf('', blind), await namesOf(), await namesOf('?local=true')], [[], [], []])
      assert.deepEqual(await namesOf('?configure=true', blind), [first.hostname])

      const { database } = other.app.foundation
      const rows = () => database.read.selectFrom('candidateSightings').selectAll().execute()
      const left = await rows()
      assert.equal(left.length, 1)
      await server.app.close()
      assert.deepEqual([await rows(), await namesOf('?configure=true', blind)], [[], []])

      // as when it had been killed: its rows stay, and count until its heartbeat is missed
      await database.transaction((tx) => tx.insertInto('candidateSightings').values(left).execute())
      assert.deepEqual(await namesOf('?configure=true', blind), [first.hostname])
      const { nodeUuid } = server.app.foundation
      await database.transaction((tx) =>
        tx.updateTable('managementNodes').set({ lastOpDate: 0 }).where('uuid', '=', nodeUuid).execute(),
      )
      await within(20_000, async () => (await namesOf('?configure=true', blind)).length === 0, blind)
    })
    return
  }

  assert.ok(second && third)
  const sn = (await first.exec('cat /sys/class/dmi/id/product_serial')).trim()
  const announcers: HostAnnouncer[] = []
  // within a test, `after` would mean the end of that test
  const ends: (() => Promise<void>)[] = []
  const atTheEnd = { after: (end: () => Promise<void>) => void ends.push(end) }
  after(() => Promise.all(ends.map((end) => end())))

  test('hosts are found with their facts, by our announcer and by avahi', async (t) => {
    await first.exec('ip address add fd77::11/64 dev eth0 nodad')
    announcers.push(await HostAnnouncer.start(atTheEnd, first, ['--sn', sn, ...known]))
    announcers.push(await HostAnnouncer.start(atTheEnd, second, ['--sn', 'To be filled by O.E.M.', '--id', 'two']))
    await startAvahi(third, ['--sn', 'AV-3', '--manufacturer', 'A & B', '--product', '<X>'])
    const began = performance.now()
    // three seconds on a machine with nothing else to do
    await within(10_000, async () => (await listed()).length === 3)
    t.diagnostic(`found after ${Math.round(performance.now() - began)} ms`)
    const [one, two, three] = await listed()
    assert.deepEqual(one, {
      hostName: first.hostname,
      ipv4Address: first.address,
      ipv6Address: 'fd77::11',
      ipv4Interface: 'eth0',
      ipv6Interface: 'eth0',
      manufacturer: 'Wharf',
      product: 'Test host',
      sn,
    })
    assert.match(two?.ipv6Address ?? '', /^fe80::/)
    assert.deepEqual([two?.hostName, two?.ipv4Address, two?.sn], [second.hostname, second.address, null])
    assert.deepEqual([three?.hostName, three?.ipv4Address], [third.hostname, third.address])
    assert.deepEqual([three?.sn, three?.manufacturer, three?.product], ['AV-3', 'A & B', '<X>'])
  })

  test('a host that is added is listed only with configure', async () => {
    await add(first)
    const [all, others] = [hosts.map(({ hostname }) => hostname), [second.hostname, third.hostname]]
    for (const [query, expected] of [
      ['', others],
      ['?local=true', others],
      ['?local=false&configure=false', others],
      ['?configure=true', all],
      ['?local=true&configure=true', all],
    ] as const)
      assert.deepEqual(await namesOf(query), expected, query)
  })

  test('a host disappears with its link, and returns with it', async () => {
    await second.linkDown()
    const start = performance.now()
    // meanwhile our own interface is removed and added again
    await runProgram('ip', ['link', 'set', bridge, 'down'])
    await delay(2500)
    await runProgram('ip', ['link', 'set', bridge, 'up'])
    await await within(15_000, async () => !(await namesOf()).includes(second.hostname))
    assert.ok(performance.now() - start < 15_000)
    await second.linkUp()
    await within(20_000, async () => (await namesOf()).includes(second.hostname))
  })

  test('a host that gets another address is listed with it', async () => {
    await second.exec('ip address add fd77::12/64 dev eth0 nodad')
    await within(20_000, async () => (await listed()).some(({ ipv6Address }) => ipv6Address === 'fd77::12'))
  })

  test('a host that sends a goodbye disappears at once', async () => {
    await announcers[0]?.stop()
    await within(5000, async () => !(await namesOf('?configure=true')).includes(first.hostname))
  })

  test('two hosts of one name are both found', async (t) => {
    await HostAnnouncer.start(t, first, ['--host-name', second.hostname, '--sn', 'SN-OTHER'])
    const names = [second.hostname, `${second.hostname}-2`, third.hostname]
    // which of them keeps the name is theirs to settle
    await within(20_000, async () => (await namesOf('?configure=true')).toSorted().join() === names.join())
    // its addresses, which identify it as an added host, may arrive later
    const others = [second.address, third.address].toSorted().join()
    const addresses = async () =>
      (await listed())
        .map(({ ipv4Address }) => String(ipv4Address))
        .toSorted()
        .join()
    await within(20_000, async () => (await addresses()) === others)
  })

  test('invalid messages and a flood of hosts do no harm', async (t) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    t.after(() => void socket.close())
    const gateway = first.address.replace(/\d+$/, '1')
    socket.bind(multicastPort)
    await once(socket, 'listening')
    socket.setMulticastInterface(gateway)
    const send = (bytes: Buffer) => new Promise((resolve) => socket.send(bytes, multicastPort, '224.0.0.251', resolve))

    const announcement = (n: number): ResourceRecord[] => {
      const [name, head] = [`flood-${n}.${serviceType}`, { ttlSeconds: 4, flush: false }]
      return [
        { ...head, type: 'PTR', name: serviceType, target: name },
        { ...head, type: 'SRV', name, target: `flood-${n}.local`, port: 22 },
        { ...head, type: 'TXT', name, strings: [`sn=\u001b[31mEVIL${n}`, 'product'] },
        { ...head, type: 'A', name: `flood-${n}.local`, address: `198.51.${n >> 8}.${n & 255}` },
      ]
    }
    for (let n = 0; n < 200; n++) {
      const bytes = writeMessage({ isResponse: true, answers: announcement(20_000 + n) })
      for (let at = 12; at < bytes.length; at += 7) bytes[at] = (bytes[at] ?? 0) ^ (1 + ((n * at) % 255))
      await send(bytes.subarray(0, bytes.length - (n % 50)))
    }
    // meanwhile, not afterwards: on a busy machine the first are gone again before the last are sent
    let flooded: CandidateHost[] = []
    const isFlooded = within(30_000, async () => {
      flooded = await listed()
      return flooded.length > 500
    })
    const announced = maxCandidates + 400
    for (let n = 0; n < announced; n += 5) {
      const answers = [0, 1, 2, 3, 4].flatMap((more) => announcement(n + more))
      await send(writeMessage({ isResponse: true, answers }))
      if (n % 500 === 0) await delay(20)
    }
    await isFlooded
    const afterwards = (await listed()).length
    assert.ok(afterwards <= maxCandidates, `${afterwards}`)
    assert.ok(flooded.every(({ sn: serial }) => serial === null || !serial.includes('\u001b')))
    await within(10_000, async () => (await listed()).length === 2)
    assert.doesNotMatch(server.logText, /EVIL|flood-|AV-3|fd77::/)
  })
}
