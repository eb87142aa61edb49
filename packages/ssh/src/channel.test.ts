import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Channel, windowBytes } from './channel.ts'
import { MessageReader, MessageSplitter, message, messageType, ProtocolError } from './channel-messages.ts'

const remoteId = 7

/** A channel, and what it has sent: the types of messages, and the bytes of its data. */
function fixture({ window = 100, maxPacket = 40 } = {}) {
  const sent: { type: number; number?: number; bytes?: string }[] = []
  const splitter = new MessageSplitter()
  const channel = new Channel(
    (pieces, done) => {
      for (const bytes of splitter.split(Buffer.concat(pieces))) {
        const fields = new MessageReader(bytes)
        fields.byte()
        const type = fields.byte()
        assert.equal(fields.number(), remoteId)
        if (type === messageType.channelData) sent.push({ type, bytes: fields.bytes().toString() })
        else sent.push(type === messageType.channelWindowAdjust ? { type, number: fields.number() } : { type })
      }
      done?.()
    },
    { remoteId, window, maxPacket },
  )
  /** A message of the host. */
  const receive = (type: number, ...fields: (number | string | boolean)[]): void => {
    const reader = new MessageReader(message(type, 0, ...fields).subarray(4))
    reader.byte()
    reader.byte()
    reader.number()
    channel.receive(type, reader)
  }
  const sizes = () => sent.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes.length]))
  const types = () => sent.map(({ type }) => type)
  return { channel, receive, sent, sizes, types }
}

test('sends no more than the host accepts, in packets that it accepts', () => {
  const { channel, receive, sizes, types } = fixture()
  let isWritten = false
  channel.stdin.write('x'.repeat(150), () => {
    isWritten = true
  })
  assert.deepEqual(sizes(), [40, 40, 20])
  receive(messageType.channelWindowAdjust, 30)
  assert.deepEqual(sizes(), [40, 40, 20, 30])
  receive(messageType.channelWindowAdjust, 100)
  assert.deepEqual(sizes(), [40, 40, 20, 30, 20])
  assert.ok(isWritten)
  channel.stdin.end('y')
  assert.equal(sizes().at(-1), 1)
  assert.equal(types().at(-1), messageType.channelEof)
})

test('has the output and the exit code of the program, once it is read', async () => {
  const { channel, receive, types } = fixture()
  receive(messageType.channelData, 'out')
  receive(messageType.channelExtendedData, 1, 'err')
  receive(messageType.channelRequest, 'exit-status', false, 3)
  receive(messageType.channelEof)
  receive(messageType.channelClose)
  assert.deepEqual(await Promise.all([text(channel.stdout), text(channel.stderr), channel.ended]), ['out', 'err', 3])
  assert.deepEqual(types(), [messageType.channelClose])
})

test('lets the host send more only when half of it is read', async () => {
  const { channel, receive, sent } = fixture()
  const piece = 'x'.repeat(windowBytes / 4)
  for (let times = 0; times < 3; times++) receive(messageType.channelData, piece)
  assert.deepEqual(sent, [])
  channel.stdout.resume()
  await new Promise(setImmediate)
  assert.deepEqual(sent, [{ type: messageType.channelWindowAdjust, number: (windowBytes / 4) * 3 }])
})

test('a host that sends more than it may, or after the end, is not read any more', async () => {
  for (const first of [() => {}, messageType.channelEof] as const) {
    const { channel, receive, types } = fixture()
    if (typeof first === 'number') receive(first)
    for (let times = 0; times < 5; times++) receive(messageType.channelData, 'x'.repeat(windowBytes / 4))
    receive(messageType.channelRequest, 'exit-status', false, 0)
    assert.equal(await channel.ended, null)
    assert.deepEqual(types(), [messageType.channelClose])
  }
})

test('a program that the host does not start ends without an exit code', async () => {
  const { channel, receive } = fixture()
  receive(messageType.channelFailure)
  assert.deepEqual(await Promise.all([text(channel.stderr), channel.ended]), [
    'the host refused to start a program',
    null,
  ])
})

test('a host that accepts packets of no length ends the program instead of stalling its input', {
  timeout: 5000,
}, async () => {
  const { channel } = fixture({ maxPacket: 0 })
  const stderr = text(channel.stderr)
  channel.stdin.write('x')
  assert.equal(await channel.ended, null)
  assert.match(await stderr, /accepts no input/)
})

test('a killed program sends nothing more', async () => {
  const { channel, receive, types } = fixture({ window: 1 })
  channel.stdin.write('waits for the host')
  channel.kill()
  channel.kill()
  receive(messageType.channelWindowAdjust, 100)
  receive(messageType.channelData, 'late')
  assert.equal(await channel.ended, null)
  assert.deepEqual(types(), [messageType.channelData, messageType.channelClose])
})

test('a write of nothing completes, and one that fails only ends the input', async () => {
  const { channel } = fixture()
  await new Promise((resolve) => channel.stdin.write('', resolve))
  const broken = new Channel((_, done) => done?.(new Error('EPIPE')), { remoteId, window: 100, maxPacket: 100 })
  broken.stdin.write('x')
  await new Promise((resolve) => broken.stdin.once('close', resolve))
  broken.close()
  assert.equal(await broken.ended, null)
})

test('a request of the host that wants a reply gets one', () => {
  const { receive, types } = fixture()
  receive(messageType.channelRequest, 'keepalive@openssh.com', true)
  assert.deepEqual(types(), [messageType.channelFailure])
})

test('messages are found wherever a stream is divided', () => {
  const messages = [message(messageType.channelEof, 1), message(messageType.channelData, 2, 'some bytes')]
  const stream = Buffer.concat(messages)
  for (let at = 0; at <= stream.length; at++) {
    const splitter = new MessageSplitter()
    const found = [...splitter.split(stream.subarray(0, at)), ...splitter.split(stream.subarray(at))]
    assert.deepEqual(
      found,
      messages.map((bytes) => bytes.subarray(4)),
    )
  }
})

test('a message that is too long, or a field that is longer than its message, is refused', () => {
  const long = Buffer.from([0x7f, 0xff, 0xff, 0xff])
  assert.throws(() => new MessageSplitter().split(long), /2147483647 bytes/)
  assert.throws(() => new MessageReader(long).bytes(), ProtocolError)
})
