import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
}

/** What a browser with an authenticator answers, for a page at `origin`; attestation `none`, ES256. */
export class SoftwarePasskey {
  readonly #origin: string
  readonly #id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #uses = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  create(options: Options): string {
    const clientData = this.#clientData('webauthn.create', options)
    const data = Buffer.concat([
      this.#authenticatorData(options, 0x41),
      Buffer.alloc(16),
      length(this.#id),
      this.#id,
      this.#cose(),
    ])
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex')
    const attestationObject = Buffer.concat([head, length(data), data])
    return this.#answer({
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    })
  }

  prove(options: Options): string {
    const clientData = this.#clientData('webauthn.get', options)
    const data = this.#authenticatorData(options, 0x01)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey)
    return this.#answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    })
  }

  #answer(response: object): string {
    const id = base64url(this.#id)
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }

  #clientData(type: string, { challenge }: Options): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #authenticatorData({ rpId, rp }: Options, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.#uses)
    return Buffer.concat([sha256(rpId ?? rp?.id ?? ''), Buffer.from([flags]), counter])
  }

  #cose(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const [start, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
    return Buffer.concat([start, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')])
  }
}

function length(bytes: Uint8Array): Buffer {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(bytes.length)
  return count
}
