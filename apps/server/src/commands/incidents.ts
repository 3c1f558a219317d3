import { INCIDENT_STATES, STATUS_PARTS } from '@assay/contract';
import {
  type ActorAndReason,
  closeIncident,
  findIncidents,
  noteIncident,
  openIncident,
} from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason } from './actor-and-reason.ts';
import { type CommandRun, defineVerbs, UsageError, type ValuesOf, withDatabase } from './command.ts';
import { readId } from './read-options.ts';
import { printTable } from './table.ts';

const options = { words: { type: 'string' } } as const;
type Run = CommandRun<ValuesOf<typeof options>>;
type Parts = Parameters<typeof openIncident>[0];

/** `assay incidents`: what the status page says about times when a part did not work. */
export const run = defineVerbs('incidents', options, {
  list: (command) =>
    printTable(command, 'There was no incident in the last 90 days.', async (db) =>
      (await findIncidents(db, systemClock.now())).map((incident) => ({
        id: incident.id,
        part: incident.part,
        state: incident.state,
        began: incident.start_date,
        ended: incident.end_date,
        last_words: incident.notes.at(-1)?.words ?? '',
      })),
    ),
  open: (command) => change(command, (parts, by) => openIncident(parts, by, readPartAndState(command.words))),
  note: (command) => change(command, (parts, by) => noteIncident(parts, by, readIncident(command))),
  close: (command) => change(command, (parts, by) => closeIncident(parts, by, readIncident(command))),
});

async function change(
  command: Run,
  work: (parts: Parts, by: ActorAndReason) => ReturnType<typeof openIncident>,
): Promise<number> {
  const by = readActorAndReason({ reason: command.values.words }, command, 'words');
  return withDatabase(command, async (db) => {
    const incident = await work({ db, clock: systemClock }, by);
    const state = incident.end_date === null ? 'open' : 'closed';
    command.print([{ id: incident.id, state }], `Incident ${incident.id} is ${state}.\n`);
    return 0;
  });
}

function readPartAndState([partWord, stateWord, ...others]: readonly string[]) {
  const part = STATUS_PARTS.find((known) => known === partWord);
  const state = INCIDENT_STATES.find((known) => known === stateWord);
  if (!part || !state || others.length > 0)
    throw new UsageError('Name the part and its state, such as: open lists degraded.');
  return { part, state };
}

const readIncident = ({ words }: Run): string =>
  readId(words, 'Name the id of an incident, as list shows it.');
