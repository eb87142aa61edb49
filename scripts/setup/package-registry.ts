import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}

/** A registry on loopback with small packages, which npm installs like any other. */
export class PackageRegistry {
  readonly #packages = new Map<string, { manifest: Manifest; bytes: Buffer }>()
  readonly #server = createServer((request, response) => {
    this.requests.push(request.url ?? '')
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const found = this.#packages.get(name)
    if (found === undefined) return void response.writeHead(404).end('{}')
    if (file !== undefined) return void response.end(found.bytes)
    const { manifest, bytes } = found
    const dist = { tarball: `${this.url}/${name}/-/package.tgz`, integrity: integrityOf(bytes) }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, versions: { [manifest.version]: { ...manifest, dist } } }))
  })
  readonly requests: string[] = []

  static async start(t: { after(work: () => void): void }): Promise<PackageRegistry> {
    const registry = new PackageRegistry()
    registry.#server.listen(0, '127.0.0.1')
    await once(registry.#server, 'listening')
    t.after(() => {
      registry.#server.close()
      registry.#server.closeAllConnections()
    })
    return registry
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Returns the digest for the lock file. */
  add(manifest: Manifest, files: Record<string, string> = {}): string {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-registry-'))
    for (const [name, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
      const path = join(folder, 'package', name)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, text)
      chmodSync(path, 0o755)
    }
    execFileSync('tar', ['-czf', join(folder, 'package.tgz'), '-C', folder, 'package'])
    const bytes = readFileSync(join(folder, 'package.tgz'))
    rmSync(folder, { recursive: true })
    this.#packages.set(manifest.name, { manifest, bytes })
    return integrityOf(bytes)
  }

  /** Returns a function that restores the package. */
  withdraw(name: string): () => void {
    const withdrawn = this.#packages.get(name)
    this.#packages.delete(name)
    return () => {
      if (withdrawn !== undefined) this.#packages.set(name, withdrawn)
    }
  }
}

const integrityOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`
