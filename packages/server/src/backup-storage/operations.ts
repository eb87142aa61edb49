import { BackupStorageInventory, getBackupStorage, queryBackupStorage } from '@wharf/contract'
import { collection } from '../database/query.ts'
import type { Binding } from '../http/bind.ts'
import { type Queries, queryBindings } from '../http/query-bindings.ts'

export const backupStorageOperations = (queries: Queries): Binding[] =>
  queryBindings(
    queries,
    collection({ table: 'backupStorage', inventory: BackupStorageInventory }),
    queryBackupStorage,
    getBackupStorage,
  )
