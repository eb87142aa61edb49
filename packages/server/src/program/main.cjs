const { enableCompileCache } = require('node:module')
const { join } = require('node:path')
const { currentBundle } = require('@wharf/platform/bundle.cjs')

// stripping types and compiling take most of a start; the cache saves both from the second one on.
// NODE_COMPILE_CACHE names another folder, when this one is read-only
enableCompileCache(join(__dirname, '../../../../node_modules/.cache/wharf-server'))
const bundle = currentBundle('server')
if (bundle === undefined) void import('./command-line.ts')
else require(bundle)
