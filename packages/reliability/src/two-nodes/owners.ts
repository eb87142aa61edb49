import type { TwoNodeSetup } from './two-node-setup.ts'

/**
 * The ownership history of every job, recorded by the database with each write: by its own clock, and with the role of
 * the writer. It does not depend on what the nodes believe.
 */
const record = `
create table "jobHistory" (
  "at" bigint not null default (extract(epoch from clock_timestamp()) * 1000)::bigint, "writer" text not null,
  "job" text not null, "before" text, "beforeFence" bigint, "leaseUntil" bigint, "owner" text, "fence" bigint not null);
create function "noteJob"() returns trigger language plpgsql as $$ begin
  insert into "jobHistory" ("writer", "job", "before", "beforeFence", "leaseUntil", "owner", "fence")
  values (session_user, new."uuid", old."owner", old."fence", old."leaseUntil", new."owner", new."fence");
  return null;
end $$;
create trigger "noteJob" after insert or update on "jobs" for each row execute function "noteJob"();`

export const recordOwners = async (setup: TwoNodeSetup): Promise<void> => void (await setup.query(record))

/** Violations: each query must return no row. $1 and $2 are the uuids of the nodes. */
const never = {
  'a fence that does not count up by one': `
    select * from "jobHistory" where "beforeFence" is not null and "fence" - "beforeFence" not in (0, 1)`,
  'a job taken from an owner whose lease had not run out': `
    select * from "jobHistory" where "fence" > "beforeFence" and "before" is not null and "leaseUntil" >= "at"`,
  'two owners with the same fence': `
    select "job", "fence" from "jobHistory" where "owner" is not null
    group by "job", "fence" having count(distinct "owner") > 1`,
  'a write by a node that was not the owner': `
    select * from "jobHistory" where "fence" = "beforeFence"
    and "writer" is distinct from case split_part("before", ':', 1) when $1 then 'node_1' when $2 then 'node_2' end`,
}

export interface Owners {
  /** Checked writes to jobs. */
  readonly writes: number
  /** How often a job moved from one node to the other. */
  readonly handovers: number
  readonly faults: readonly string[]
}

export async function checkOwners(setup: TwoNodeSetup): Promise<Owners> {
  const nodes = setup.nodeUuids
  const faults: string[] = []
  for (const [what, sql] of Object.entries(never)) {
    const found = await setup.query(sql, sql.includes('$1') ? nodes : [])
    if (found.length > 0) faults.push(`${found.length} times ${what}: ${JSON.stringify(found.slice(0, 3))}`)
  }
  const [counted] = await setup.query<{ writes: string; handovers: string }>(`
    select count(*) as "writes", count(*) filter (where "fence" > "beforeFence" and "before" is not null
      and split_part("before", ':', 1) <> split_part("owner", ':', 1)) as "handovers" from "jobHistory"`)
  return { writes: Number(counted?.writes), handovers: Number(counted?.handovers), faults }
}
