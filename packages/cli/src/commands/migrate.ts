import { command, type GroupSpec } from '../command.ts'
import { vms } from './migrate/vms.ts'

const images = command({
  name: 'images',
  summary: 'List the images of the migration gateway',
  examples: ['migrate images'],
  async run(cli) {
    const { images: byRole } = await (await cli.wharf()).migration.images()
    const rows = Object.entries(byRole).map(([role, image]) => ({ role, ...image }))
    cli.out.list(rows, ['role', 'name', 'status', 'format', 'size', 'uuid'])
    if (rows.length === 0) cli.info('No images. Upload a package of type Migrate.')
  },
})

export const migrate: GroupSpec = {
  name: 'migrate',
  summary: 'Manage the migration gateway: images and virtual machines',
  commands: [images, vms],
}
