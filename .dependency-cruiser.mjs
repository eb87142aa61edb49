// The arrows of the house: http → resources → jobs, events → database → platform; downloads and ssh stand on platform.
// What a rule forbids, `comment` explains.
import typescript from 'typescript'

// dependency-cruiser passes over every .ts file, and so finds no fault, when TypeScript cannot transpile for it.
if (typeof typescript.transpileModule !== 'function') {
  throw new Error('dependency-cruiser needs the package "typescript" with its JavaScript interface, so version 6')
}

const server = '^packages/server/src'
/** Every folder of the server that is not a layer of its own. */
const resource = `${server}/(?!(?:http|jobs|events|downloads|ssh|database|platform)/)([^/]+)`
/** All of reliability/ is tests and what they share; what the tests of one folder share is in its testing/. */
const tests = '[.]test[.]ts$|/src/reliability/|/testing/'

/** Files below `folder` may use these folders of the server besides their own; tests may use what they like. */
const layer = (folder, ...below) => ({
  name: `${folder}-points-down`,
  comment: `${folder} may use ${below.join(', ') || 'nothing'} of the server: arrows point down.`,
  from: { path: `${server}/${folder}/`, pathNot: tests },
  to: { path: `${server}/`, pathNot: `${server}/(${[folder, ...below].join('|')})/` },
})

/** jobs and events serve operations of their own, which are bound to HTTP like those of a resource. */
const bound = (rule) => ({ ...rule, from: { ...rule.from, pathNot: `${tests}|/operations[.]ts$` } })

// --- console ---
const consoleSource = '^packages/console/src'
/** Top first: a file of the console uses its own layer and the layers below it. */
const consoleLayers = ['app', 'pages', 'features', 'components', 'data', 'i18n', 'browser']
const consoleRules = [
  ...consoleLayers.map((name, index) => ({
    name: `console-${name}-points-down`,
    comment: `The layers of the console are ${consoleLayers.join(', ')}; dependencies point down.`,
    from: { path: `${consoleSource}/${name}/` },
    to: { path: `${consoleSource}/`, pathNot: `${consoleSource}/(${consoleLayers.slice(index).join('|')})/` },
  })),
  {
    name: 'console-pages-are-independent',
    comment: 'What two pages share belongs to features or components.',
    from: { path: `${consoleSource}/pages/([^/]+)/` },
    to: { path: `${consoleSource}/pages/`, pathNot: `${consoleSource}/pages/$1/` },
  },
  {
    name: 'console-uses-the-sdk',
    comment: 'The console calls the server through the SDK.',
    from: { path: `${consoleSource}/`, pathNot: tests },
    to: { path: '^(packages|scripts|bench)/', pathNot: '^packages/(console|sdk|contract)/' },
  },
]
// --- end of console ---

const rules = [
  ...consoleRules,
  {
    name: 'contract-stands-alone',
    comment: 'The contract is the API as data, for browsers too: it uses nothing of ours.',
    from: { path: '^packages/contract/src/', pathNot: tests },
    to: { path: '^(packages|scripts|bench)/', pathNot: '^packages/contract/' },
  },
  {
    name: 'sdk-stands-on-the-contract',
    comment: 'The SDK is the contract made callable, in browsers too: of ours it uses the contract alone.',
    from: { path: '^packages/sdk/src/', pathNot: tests },
    to: { path: '^(packages|scripts|bench)/', pathNot: '^packages/(sdk|contract)/' },
  },
  {
    name: 'sdk-runs-in-browsers',
    comment:
      'Only what sends files by their path knows Node; package.json swaps its entrance, file-source.ts, for pages.',
    from: { path: '^packages/sdk/src/', pathNot: `${tests}|/upload/file-[a-z]+[.]ts$` },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'cli-stands-on-the-sdk',
    comment: 'The command speaks to servers through the SDK; besides it announces the host that it runs on.',
    from: { path: '^packages/cli/src/', pathNot: tests },
    to: { path: '^(packages|scripts|bench)/', pathNot: '^packages/(cli|sdk|contract|announcer)/' },
  },
  {
    name: 'cli-starts-quickly',
    comment:
      'Loading the SDK or the contract takes longer than a whole `wharf --help` may: commands import them when they run.',
    from: { path: '^packages/cli/src/', pathNot: tests },
    to: {
      path: '^packages/(sdk|contract|announcer)/',
      dependencyTypesNot: ['type-only', 'dynamic-import'],
    },
  },
  layer('platform'),
  layer('database', 'platform'),
  layer('downloads', 'platform'),
  layer('ssh', 'platform'),
  bound(layer('events', 'jobs', 'database', 'platform')),
  bound(layer('jobs', 'events', 'database', 'platform')),
  {
    name: 'composition-is-the-top',
    comment: 'What stands at the top puts the parts together; no part reaches back, but for the settings.',
    from: { path: `${server}/[^/]+/`, pathNot: tests },
    to: { path: `${server}/[^/]+[.]ts$`, pathNot: `${server}/(config|setting-kinds)[.]ts$` },
  },
  {
    name: 'http-is-bound-in-operations',
    comment: 'Only operations.ts of a resource and the composition know HTTP; a service never does.',
    from: {
      path: `${server}/`,
      pathNot: `${tests}|${server}/http/|/operations[.]ts$|${server}/(app|resources)[.]ts$`,
    },
    to: { path: `${server}/http/` },
  },
  {
    name: 'http-knows-no-resource',
    comment: 'Of the resources HTTP knows only who calls; every other one binds its operations itself.',
    from: { path: `${server}/http/`, pathNot: tests },
    to: { path: `${resource}/`, pathNot: `${server}/identity/` },
  },
  {
    name: 'resources-meet-at-their-services',
    comment:
      'A resource uses another through its service.ts, and a host or storage through its driver.ts. Who calls (identity/caller.ts) and what a role may (identity/permissions.ts) is known to all.',
    from: { path: `${resource}/`, pathNot: tests },
    to: {
      path: `${resource}/`,
      pathNot: [`${server}/$1/`, '/(service|driver)[.]ts$', `${server}/identity/(caller|permissions)[.]ts$`],
    },
  },
  {
    name: 'stores-are-private',
    comment: 'The queries of a resource are its own business.',
    from: { path: `${server}/([^/]+)`, pathNot: tests },
    to: { path: `${server}/.+/store[.]ts$`, pathNot: `${server}/$1/` },
  },
  {
    name: 'no-cycles',
    comment: 'Two files that need each other, be it by type alone, are one idea, or lack a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'production-uses-no-testkit',
    comment: 'What is only for tests stays out of what is shipped.',
    from: { path: '^packages/', pathNot: [tests, '^packages/testkit/'] },
    to: { path: '^(packages/testkit|scripts|bench)/' },
  },
  {
    name: 'production-uses-no-tests',
    comment: 'What tests share is theirs.',
    from: { path: '^packages/', pathNot: tests },
    to: { path: tests },
  },
  {
    name: 'production-declares-its-dependencies',
    comment: 'A package that is shipped uses what its own package.json lists as a dependency.',
    from: { path: '^packages/', pathNot: [tests, '^packages/testkit/', '/vite[.]config[.]ts$'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'] },
  },
  {
    name: 'everything-resolves',
    comment: 'An import leads to a file.',
    from: {},
    to: { couldNotResolve: true },
  },
]

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(data|dist|packages/console/dist)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
