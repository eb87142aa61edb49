import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In an isolated network, with only Debian's default programs on the path. */
const firstUse = `
set -e
ip link set lo up
cd "$1"
export PATH=/usr/bin:/bin HOME=/nonexistent XDG_STATE_HOME="$1/state" WHARF_PORT=8080 WHARF_DISCOVERY=none
"$1"/wharf-*/bin/wharf-server 2>"$1/log" >"$1/banner" &
pid=$!
for attempt in $(seq 100); do curl --silent --fail --output "$1/ready" http://127.0.0.1:8080/readyz && break; sleep 0.2; done
cat "$1/ready"
curl --silent http://127.0.0.1:8080/ | grep --only-matching '<title>.*</title>'
unset WHARF_PORT WHARF_DISCOVERY
# the banner is printed shortly after the server is ready; the command in it finds the server without settings
for attempt in $(seq 100); do grep --quiet /bin/wharf "$1/banner" && break; sleep 0.1; done
$(grep --only-matching '/.*/bin/wharf ' "$1/banner") -o json host list
ls "$1/state/wharf/bootstrap.json"
find "$1" -name server.cjs.cache
kill $pid
wait $pid
`

test('the offline tarball runs without a registry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-offline-'))
  try {
    const tarball = execFileSync(process.execPath, ['scripts/pack-offline.ts', folder], { cwd: root, encoding: 'utf8' })
    execFileSync('tar', ['--extract', `--file=${tarball.trim()}`, `--directory=${folder}`])
    const { status, stdout, stderr } = spawnSync('unshare', ['--net', 'bash', '-c', firstUse, 'sh', folder], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '' },
    })
    assert.equal(status, 0, stderr)
    for (const sign of [
      '"status":"ready"',
      '<title>Wharf</title>',
      '"name": "this-node"',
      '/state/wharf/bootstrap.json',
      // what V8 compiles for a start
      '/server.cjs.cache',
    ])
      assert.ok(stdout.includes(sign), `${sign} in ${stdout}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
