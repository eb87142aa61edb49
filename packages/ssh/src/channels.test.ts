import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { controlMessage, MessageReader, MessageSplitter, message, messageType } from './channel-messages.ts'
import { Channels } from './channels.ts'

const { signal } = new AbortController()
const greeting = controlMessage(1, 4)
const proxyReply = controlMessage(0x8000000f, 0)
const refusal = controlMessage(0x80000003, 0)
const { channelOpen, channelOpenConfirmation, channelOpenFailure, channelClose, channelRequest } = messageType

type Answer = (type: number, channel: number) => Buffer | undefined

/** The control socket of an ssh that answers so; and the types of the messages that it gets. */
async function controlSocket(t: TestContext, answer: Answer, reply = proxyReply) {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-ssh-'))
  const path = join(folder, 'c')
  const received: number[] = []
  const server = createServer((socket) => {
    const splitter = new MessageSplitter()
    let count = 0
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of splitter.split(chunk)) {
        if (++count <= 2) {
          socket.write(count === 1 ? greeting : reply)
          continue
        }
        const fields = new MessageReader(bytes)
        fields.byte()
        const type = fields.byte()
        received.push(type)
        if (type === channelOpen) fields.bytes()
        const answered = answer(type, fields.number())
        if (answered) socket.write(answered)
      }
    })
    t.after(() => socket.destroy())
  }).listen(path)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  return { path, received }
}

async function connected(t: TestContext, answer: Answer) {
  const { path, received } = await controlSocket(t, answer)
  const channels = await Channels.connect(path)
  t.after(() => channels.close(new Error('the test is over')))
  return { channels, received }
}

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 1000 && !holds(); turns++) await new Promise(setImmediate)
  assert.ok(holds())
}

const confirmed = (channel: number): Buffer => message(channelOpenConfirmation, channel, 5, 1000, 1000)

test('starts a command when the host has confirmed the channel', async (t) => {
  const answers: Answer = (type, channel) => (type === channelOpen ? confirmed(channel) : message(channelClose, 0))
  const { channels, received } = await connected(t, answers)
  const channel = await channels.open('true', signal)
  assert.equal(await channel?.ended, null)
  await until(() => received.length === 3)
  assert.deepEqual(received, [channelOpen, channelRequest, channelClose])
})

test('a channel that the host confirms after an abort is closed', async (t) => {
  // the host confirms the first one when a second is opened
  const { channels, received } = await connected(t, (type, channel) =>
    type === channelOpen && channel === 1 ? Buffer.concat([confirmed(0), confirmed(1)]) : undefined,
  )
  const abort = new AbortController()
  const opening = channels.open('true', abort.signal)
  abort.abort(new Error('given up'))
  await assert.rejects(opening, /given up/)
  await channels.open('true', signal)
  await until(() => received.length === 4)
  assert.deepEqual(received.toSorted(), [channelOpen, channelOpen, channelClose, channelRequest])
})

test('after a refusal, no channel is opened for some time', async (t) => {
  const { channels, received } = await connected(t, (_, channel) => message(channelOpenFailure, channel, 1, 'full', ''))
  assert.equal(await channels.open('true', signal), undefined)
  assert.equal(await channels.open('true', signal), undefined)
  assert.deepEqual(received, [channelOpen])
})

test('a lost connection fails what is opened, now and later', async (t) => {
  const { channels } = await connected(t, () => undefined)
  const opening = channels.open('true', signal)
  const lost = new Error('lost')
  channels.close(lost)
  for (const failed of [opening, channels.open('true', signal)]) await assert.rejects(failed, lost)
})

test('a message that is too short ends the connection, and is the reason', async (t) => {
  const { channels } = await connected(t, (_, channel) => message(channelOpenConfirmation, channel))
  const opening = assert.rejects(channels.open('true', signal), /lost/)
  assert.match(await channels.closed, /too short/)
  channels.close(new Error('lost'))
  await opening
})

test('an ssh without proxy mode is named', async (t) => {
  const { path } = await controlSocket(t, () => undefined, refusal)
  await assert.rejects(Channels.connect(path), /refuses the proxy mode/)
})
