import { randomUUID } from 'node:crypto';
import { INCIDENT_DAYS, type Incident } from '@assay/contract';
import { OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from '../actions.ts';

type Part = Incident['part'];
type State = Incident['state'];

/** A part that was well for so short a time was never mended: its incident goes on. */
const sameIncidentMs = 10 * 60_000;
/** More sentences than anybody reads. The one that closes an incident may be one more. */
const notesMax = 50;

interface IncidentRow {
  readonly id: string;
  readonly part: Part;
  readonly state: State;
  readonly began_at: Date;
  readonly ended_at: Date | null;
  readonly notes: Incident['notes'];
}

const columns = sql`id, part, state, began_at, ended_at, notes`;

const incidentAnswer = ({ id, part, state, began_at, ended_at, notes }: IncidentRow): Incident => ({
  id,
  part,
  state,
  start_date: began_at.toISOString(),
  end_date: ended_at?.toISOString() ?? null,
  notes,
});

/** Incidents that last or began in the last 90 days, the newest first. */
export async function findIncidents(db: Db, now: Date): Promise<Incident[]> {
  const since = new Date(now.getTime() - INCIDENT_DAYS * 86_400_000);
  const { rows } = await sql<IncidentRow>`
    select ${columns} from incidents where ended_at is null or began_at >= ${since}
    order by began_at desc, id limit ${OPERATOR_ROWS_MAX}`.execute(db);
  return rows.map(incidentAnswer);
}

/** The parts that operators say do not work. The product may not notice it by itself. */
export async function findDeclared(db: Db): Promise<Pick<Trouble, 'part' | 'state'>[]> {
  const { rows } = await sql<Pick<Trouble, 'part' | 'state'>>`
    select part, case when 'unavailable' = any(array_agg(state)) then 'unavailable' else 'degraded' end as state
    from incidents where ended_at is null and not is_measured group by part`.execute(db);
  return rows;
}

/** A part that does not work since a moment, as one process has seen it. */
export interface Trouble {
  readonly part: Part;
  readonly state: State;
  readonly since: Date;
}

/**
 * Opens an incident for each trouble, or goes on with the one that its part had a few minutes ago, then ends those of parts that
 * work. Every API process calls it with what it sees.
 */
export async function followTroubles(
  db: Db,
  {
    troubles,
    working,
    now,
  }: { readonly troubles: readonly Trouble[]; readonly working: readonly Part[]; readonly now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (troubles.length > 0) await sql`select pg_advisory_xact_lock(hashtext('incidents'))`.execute(tx);
    for (const trouble of troubles) await recordTrouble(tx, trouble, now);
    await sql`
      update incidents set ended_at = greatest(began_at, ${now})
      where ended_at is null and is_measured and part = any(${working}::text[])`.execute(tx);
  });
}

async function recordTrouble(tx: Tx, { part, state, since }: Trouble, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`
    update incidents set ended_at = null, began_at = least(began_at, ${since}),
      state = case when 'unavailable' in (state, ${state}) then 'unavailable' else state end
    where id = (select id from incidents where part = ${part} and is_measured
      and (ended_at is null or ended_at > ${new Date(since.getTime() - sameIncidentMs)})
      order by began_at desc limit 1)`.execute(tx);
  if (numAffectedRows !== 0n) return;
  await insertIncident(tx, { part, state, since, isMeasured: true, words: null, now });
}

interface NewIncident extends Trouble {
  readonly isMeasured: boolean;
  readonly words: string | null;
  readonly now: Date;
}

async function insertIncident(
  tx: Tx,
  { part, state, since, isMeasured, words, now }: NewIncident,
): Promise<IncidentRow> {
  const notes = words === null ? [] : [{ date: now.toISOString(), words }];
  const { rows } = await sql<IncidentRow>`
    insert into incidents (id, part, state, began_at, is_measured, notes)
    values (${randomUUID()}, ${part}, ${state}, ${since}, ${isMeasured}, ${JSON.stringify(notes)}::jsonb)
    returning ${columns}`.execute(tx);
  return rows[0] as IncidentRow;
}

/** The reason is what people read on the status page. */
export function openIncident(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { part, state }: { readonly part: Part; readonly state: State },
): Promise<Incident> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const words = by.reason;
    const row = await insertIncident(tx, { part, state, since: now, isMeasured: false, words, now });
    await recordAction(tx, by, { kind: 'incident.opened', about: `${part} ${state} ${row.id}`, now });
    return incidentAnswer(row);
  });
}

export const noteIncident = (parts: OperatorParts, by: ActorAndReason, id: string): Promise<Incident> =>
  writeNote(parts, by, id, 'incident.noted');

/** Ends an incident. The product opens one again that it measures itself and that lasts on. */
export const closeIncident = (parts: OperatorParts, by: ActorAndReason, id: string): Promise<Incident> =>
  writeNote(parts, by, id, 'incident.closed');

async function writeNote(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  id: string,
  kind: 'incident.noted' | 'incident.closed',
): Promise<Incident> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const note = JSON.stringify([{ date: now.toISOString(), words: by.reason }]);
    const isClosing = kind === 'incident.closed';
    const { rows } = await sql<IncidentRow>`
      update incidents set notes = notes || ${note}::jsonb,
        ended_at = case when ${isClosing} then greatest(began_at, ${now}) else ended_at end
      where id = ${id}
        and case when ${isClosing} then ended_at is null else jsonb_array_length(notes) < ${notesMax} end
      returning ${columns}`.execute(tx);
    const [row] = rows;
    if (!row) throw new AppError('incident_not_found', { id });
    await recordAction(tx, by, { kind, about: id, now });
    return incidentAnswer(row);
  });
}
