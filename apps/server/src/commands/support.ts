import { findCases, findDeliveries } from '../features/support/index.ts';
import type { Db } from '../platform/database/database.ts';
import { defineVerbs, refuseWords, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { readDay, readLimit } from './read-options.ts';
import { formatTable } from './table.ts';

const options = {
  ...customerOptions,
  since: { type: 'string' },
  waiting: { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
} as const;

/** `assay support`: lists support requests. */
export const run = defineVerbs('support', options, {
  list: async (command) => {
    refuseWords(command);
    const { values } = command;
    const filter = {
      limit: readLimit(values.limit),
      isWaiting: values.waiting,
      since: values.since === undefined ? undefined : readDay(values.since),
    };
    return withDatabase(command, async (db) => {
      const isOfOne = values.email !== undefined || values.user !== undefined;
      const ownerId = isOfOne ? (await findCustomer(db, values)).id : undefined;
      const cases = await readCases(db, { ...filter, ownerId });
      command.print(cases.map(asRecord), asTable(cases));
      return 0;
    });
  },
});

type ListedCase = Awaited<ReturnType<typeof readCases>>[number];

async function readCases(db: Db, filter: Parameters<typeof findCases>[1]) {
  const cases = await findCases(db, filter);
  const deliveries = await findDeliveries(
    db,
    cases.map(({ id }) => id),
  );
  const byCase = Map.groupBy(deliveries, ({ case_id }) => case_id);
  return cases.map((opened) => ({ ...opened, deliveries: byCase.get(opened.id) ?? [] }));
}

const asRecord = (opened: ListedCase) => ({
  id: opened.id,
  creation_date: opened.created_at.toISOString(),
  subject: opened.subject,
  description: opened.description,
  customer: {
    id: opened.owner_id,
    first_name: opened.first_name,
    last_name: opened.last_name,
    email_address: opened.email_address,
    phone: opened.phone,
  },
  deliveries: opened.deliveries.map(({ channel, tries, problem, accepted_at }) => ({
    channel,
    tries,
    problem,
    accepted_date: accepted_at?.toISOString() ?? null,
  })),
});

const asTable = (cases: readonly ListedCase[]): string =>
  formatTable(
    cases.map((opened) => ({
      'asked (UTC)': opened.created_at.toISOString().slice(0, 16).replace('T', ' '),
      name: `${opened.first_name} ${opened.last_name}`,
      email: opened.email_address,
      phone: opened.phone ?? 'no phone',
      sent: opened.deliveries.map(stateOf).join(', ') || 'listed here only',
      request: `${opened.subject}: ${opened.description}`,
    })),
    'Nobody asked for anything.',
  );

function stateOf({ channel, accepted_at, tries, problem }: ListedCase['deliveries'][number]): string {
  if (accepted_at) return `${channel} sent`;
  return problem === null ? `${channel} waiting` : `${channel} failed ${tries} times: ${problem}`;
}
