import { INCIDENT_STATES, STATUS_PARTS } from '@assay/contract';
import { closeIncident, findIncidents, noteIncident, openIncident } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { uuid } from '../platform/database/uuid.ts';
import { readActorAndReason } from './actor-and-reason.ts';
import {
  type CommandIo,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { formatTable } from './table.ts';

/** `assay incidents`: what the status page says about times when a part did not work. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'incidents', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, { words: { type: 'string' } });
    const [verb, ...rest] = positionals;
    if (verb === 'list') return list(command);
    if (verb !== 'open' && verb !== 'note' && verb !== 'close')
      throw new UsageError('Say what to do: list, open, note or close.');

    const by = readActorAndReason({ reason: values.words }, command, 'words');
    return withDatabase(command, async (db) => {
      const parts = { db, clock: systemClock };
      const incident =
        verb === 'open'
          ? await openIncident(parts, by, readPartAndState(rest))
          : await (verb === 'note' ? noteIncident : closeIncident)(parts, by, readId(rest));
      const state = incident.end_date === null ? 'open' : 'closed';
      command.print([{ id: incident.id, state }], `Incident ${incident.id} is ${state}.\n`);
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

const list = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const incidents = (await findIncidents(db, systemClock.now())).map((incident) => ({
      id: incident.id,
      part: incident.part,
      state: incident.state,
      began: incident.start_date,
      ended: incident.end_date,
      last_words: incident.notes.at(-1)?.words ?? '',
    }));
    command.print(incidents, formatTable(incidents, 'There was no incident in the last 90 days.'));
    return 0;
  });
