import { createHash } from 'node:crypto';

interface OftenStatement {
  /** Of its function, before what tells the texts of several releases apart. */
  readonly name: string;
  readonly parameters: readonly string[];
  /** What it answers with; missing if that is nothing. */
  readonly columns?: string;
  readonly text: string;
  /** Whether its transaction does not wait for the disk, as a condition in SQL: after a crash of the server it may not have happened. */
  readonly isLoose: string;
}

export interface PlannedStatement {
  /** Makes the function where it is missing. */
  readonly make: string;
  /** Runs it with the parameters of the statement. */
  readonly call: string;
}

/**
 * A statement of the queue that runs a hundred times a second, as a function that each connection plans once: to plan it takes longer than
 * to run it. A plan that is kept was made when there were few jobs or many, so it must be good for both: it reads indexes only, and row by
 * row. Processes of two releases have a function each. See docs/decisions/queue-planned-once.md.
 */
export function plannedOnce({ name, parameters, columns, text, isLoose }: OftenStatement): PlannedStatement {
  const types = parameters.join(', ');
  const body = `begin
    if ${isLoose} then perform set_config('synchronous_commit', 'off', true); end if;
    ${columns ? 'return query ' : ''}${text};
  end`;
  // Before PostgreSQL 18, what is off counts as so dear that each run would be compiled.
  const declared = `(${types}) returns ${columns ? 'setof record' : 'void'} language plpgsql
        set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
        as $function$ ${body} $function$`;
  const digest = createHash('sha256').update(`${columns} ${declared}`).digest('hex').slice(0, 12);
  const own = `queue.${name}_${digest}`;
  const make = `do $make$ begin
    if to_regprocedure('${own}(${types})') is null then
      perform pg_advisory_xact_lock(722123);
      create or replace function ${own}${declared};
    end if;
  end $make$`;
  const values = parameters.map((type, place) => `$${place + 1}::${type}`).join(', ');
  const call = `${own}(${values})`;
  return { make, call: columns ? `select * from ${call} as answer (${columns})` : `select ${call}` };
}
