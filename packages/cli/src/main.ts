// Old Node versions run this file: a static import would fail before the version check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 3)) void import('./start.ts')
else {
  process.stderr.write(`wharf needs Node 20.3 or newer; this is Node ${process.versions.node}\n`)
  process.exitCode = 1
}

export {}
