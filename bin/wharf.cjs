const { currentBundle } = require('@wharf/platform/bundle.cjs')

// loading more than a hundred source files takes most of a short command
const bundle = currentBundle('cli')
if (bundle === undefined) void import('../packages/cli/src/main.ts')
else require(bundle)
