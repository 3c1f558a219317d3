import { INCIDENT_STATES, STATUS_PARTS } from '@assay/contract';
import { closeIncident, findIncidents, noteIncident, openIncident } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason } from './actor-and-reason.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { uuid } from './find-customer.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay incidents list
  assay incidents open PART STATE --words TEXT
  assay incidents note ID --words TEXT
  assay incidents close ID --words TEXT

PART is ${STATUS_PARTS.join(', ')}; STATE is ${INCIDENT_STATES.join(' or ')}. People read TEXT on the status page, and it is the reason in
the log of operators. Incidents that the product measures begin and end by themselves.`;

/** `assay incidents`: what the status page says about times when a part did not work. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, { words: { type: 'string' } });
    const [verb, ...rest] = positionals;
    if (verb === 'list') return list(io);
    if (verb !== 'open' && verb !== 'note' && verb !== 'close')
      throw new UsageError('Say what to do: list, open, note or close.');

    const by = readActorAndReason({ reason: values.words }, io, 'words');
    return withDatabase(io, async (db) => {
      const parts = { db, clock: systemClock };
      const incident =
        verb === 'open'
          ? await openIncident(parts, by, readPartAndState(rest))
          : await (verb === 'note' ? noteIncident : closeIncident)(parts, by, readId(rest));
      io.stdout.write(`Incident ${incident.id} is ${incident.end_date === null ? 'open' : 'closed'}.\n`);
      return 0;
    });
  });
}

function readPartAndState([partWord, stateWord, ...others]: readonly string[]) {
  const part = STATUS_PARTS.find((known) => known === partWord);
  const state = INCIDENT_STATES.find((known) => known === stateWord);
  if (!part || !state || others.length > 0)
    throw new UsageError('Name the part and its state, such as: open lists degraded.');
  return { part, state };
}

function readId([id, ...others]: readonly string[]): string {
  if (id === undefined || !uuid.test(id) || others.length > 0)
    throw new UsageError('Name the id of one incident, as list shows it.');
  return id;
}

const list = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const rows = (await findIncidents(db, systemClock.now())).map((incident) => [
      incident.id,
      incident.part,
      incident.state,
      incident.start_date,
      incident.end_date ?? 'lasts',
      incident.notes.at(-1)?.words ?? '',
    ]);
    io.stdout.write(
      rows.length === 0
        ? 'There was no incident in the last 90 days.\n'
        : formatTable([['id', 'part', 'state', 'began', 'ended', 'last words'], ...rows]),
    );
    return 0;
  });
