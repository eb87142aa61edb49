import type { GroupSpec } from '../command.ts'
import { listCommand, showCommand } from '../list-command.ts'
import { deletePackage } from './package/delete.ts'
import { install } from './package/install.ts'
import { log } from './package/log.ts'
import { uninstall } from './package/uninstall.ts'
import { upload } from './package/upload.ts'

export const packageGroup: GroupSpec = {
  name: 'package',
  summary: 'Manage software packages: upload, install, uninstall, delete',
  commands: [
    upload,
    listCommand('softwarePackages', {
      path: 'package',
      plural: 'packages',
      columns: ['name', 'type', 'status', 'size', 'installPath', 'uuid'],
      example: '--query status=Uploaded',
    }),
    showCommand('softwarePackages', 'package', 'hello'),
    install,
    uninstall,
    deletePackage,
    log,
  ],
}
