import { type BillLine, findBills } from '../features/engine/index.ts';
import { defineCommand, refuseWords, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { readDay, readLimit } from './read-options.ts';
import { formatTable } from './table.ts';

const dayMs = 86_400_000;

const options = {
  ...customerOptions,
  since: { type: 'string' },
  limit: { type: 'string', default: '50' },
} as const;

/** `assay questions`: what the checks of accounts asked mail providers, and so what they cost the reputation of our addresses. */
export const run = defineCommand('questions', options, async (command) => {
  refuseWords(command);
  const { values } = command;
  const since = values.since === undefined ? new Date(Date.now() - 30 * dayMs) : readDay(values.since);
  const limit = readLimit(values.limit);
  return withDatabase(command, async (db) => {
    const isOfOne = values.email !== undefined || values.user !== undefined;
    const ownerId = isOfOne ? (await findCustomer(db, values)).id : undefined;
    const lines = await findBills(db, { since, ownerId, limit });
    command.print(lines, formatTable(lines.map(asRow), 'Nothing was asked in this time.'));
    return 0;
  });
});

const asRow = ({ account, list, provider, questions, proofs, controls, unknown, blocked }: BillLine) => ({
  account,
  list: list ?? '',
  provider,
  questions: `${questions}`,
  'of them proofs': `${proofs}`,
  'and controls': `${controls}`,
  unknown: `${unknown}`,
  'unknown %': questions === 0 ? '' : ((100 * unknown) / questions).toFixed(1),
  blocked: `${blocked}`,
});
