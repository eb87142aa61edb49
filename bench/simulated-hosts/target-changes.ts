import { DatabaseSync } from 'node:sqlite'

/** Counts the changes of state of the targets of rollouts in the database itself, whatever the server reports. */
export class TargetChanges {
  readonly #file: string

  /** While no server uses the database. */
  constructor(file: string) {
    this.#file = file
    using database = new DatabaseSync(file)
    database.exec(`
      create table benchTargetChanges (uuid text not null);
      create trigger benchTargetChanged after update on rolloutTargets when old.state <> new.state
      begin insert into benchTargetChanges values (new.uuid); end`)
  }

  count(): number {
    using database = new DatabaseSync(this.#file, { readOnly: true })
    const { count } = database.prepare('select count(*) as count from benchTargetChanges').get() as { count: number }
    return count
  }
}
