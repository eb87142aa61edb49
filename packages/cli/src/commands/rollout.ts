import type { GroupSpec } from '../command.ts'
import { deleteCommand } from '../delete-command.ts'
import { listCommand } from '../list-command.ts'
import { showCommand } from '../show-command.ts'
import { rolloutActions } from './rollout/actions.ts'
import { create } from './rollout/create.ts'
import { describeRollout } from './rollout/describe.ts'
import { plan } from './rollout/plan.ts'
import { targets } from './rollout/targets.ts'
import { watch } from './rollout/watch.ts'

export const rollout: GroupSpec = {
  name: 'rollout',
  summary: 'Roll releases out to hosts in waves: plan, watch, pause, undo',
  commands: [
    create,
    listCommand('rollouts', {
      path: 'rollout',
      plural: 'rollouts',
      sort: '-createDate',
      columns: ['name', 'software', 'state', 'pauseReason', 'done', 'failed', 'createDate', 'uuid'],
      wide: ['currentWave', 'skippedCount', 'maxParallel', 'onFailure', 'window', 'user', 'endDate', 'reason'],
      compute: async () => (record) => ({
        software: `${record.softwareName}@${record.version}`,
        done: `${record.succeededCount}/${record.targetCount}`,
        failed: record.failedCount,
      }),
      example: '--query state=Running',
    }),
    showCommand('rollouts', {
      path: 'rollout',
      example: 'web-1.1',
      summary: 'Show all fields of a rollout, its waves and latest failures',
      describe: describeRollout,
    }),
    watch,
    plan,
    targets,
    ...rolloutActions,
    deleteCommand('rollouts', {
      path: 'rollout',
      summary: 'Delete the records of rollouts that have ended; hosts are not changed',
      examples: ['web-1.1', 'web-1.2'],
    }),
  ],
}
