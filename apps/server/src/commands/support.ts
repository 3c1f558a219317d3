import { findCases, findDeliveries } from '../features/support/index.ts';
import type { Db } from '../platform/database/database.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable } from './table.ts';

const formats = ['table', 'json'] as const;
const limitMax = 10_000;

const usage = `Usage:
  assay support list [--email ADDRESS | --user ID] [--since DATE] [--waiting] [--limit N] [--format table|json]

What customers asked for, such as to be called, newest first.
--since shows what was asked on that day or later, such as 2027-01-31.
--waiting shows only what SUPPORT_MAIL_TO or SUPPORT_WEBHOOK_URL has not taken yet.
--limit is how many to show at the most (50).
--format json prints one case on each line.`;

const options = {
  ...customerOptions,
  since: { type: 'string' },
  waiting: { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
  format: { type: 'string', default: 'table' },
} as const;

/** `assay support`: lists support requests. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, options);
    if (positionals.join(' ') !== 'list') throw new UsageError('Say what to do: list.');
    const format = formats.find((name) => name === values.format);
    if (!format) throw new UsageError(`--format takes ${formats.join(' or ')}.`);
    const filter = {
      limit: readLimit(values.limit),
      isWaiting: values.waiting,
      since: values.since === undefined ? undefined : readDay(values.since),
    };
    return withDatabase(io, async (db) => {
      const isOfOne = values.email !== undefined || values.user !== undefined;
      const ownerId = isOfOne ? (await findCustomer(db, values)).id : undefined;
      const cases = await readCases(db, { ...filter, ownerId });
      io.stdout.write(format === 'json' ? asLines(cases) : asTable(cases));
      return 0;
    });
  });
}

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

const asLines = (cases: readonly ListedCase[]): string =>
  cases
    .map((opened) => ({
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
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

function asTable(cases: readonly ListedCase[]): string {
  if (cases.length === 0) return 'Nobody asked for anything.\n';
  const rows = cases.map((opened) => [
    opened.created_at.toISOString().slice(0, 16).replace('T', ' '),
    `${opened.first_name} ${opened.last_name}`,
    opened.email_address,
    opened.phone ?? 'no phone',
    opened.deliveries.map(stateOf).join(', ') || 'listed here only',
    `${opened.subject}: ${opened.description}`,
  ]);
  return formatTable([['asked (UTC)', 'name', 'email', 'phone', 'sent', 'request'], ...rows]);
}

function stateOf({ channel, accepted_at, tries, problem }: ListedCase['deliveries'][number]): string {
  if (accepted_at) return `${channel} sent`;
  return problem === null ? `${channel} waiting` : `${channel} failed ${tries} times: ${problem}`;
}

function readLimit(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= limitMax) return number;
  throw new UsageError(`--limit takes a whole number from 1 to ${limitMax}.`);
}

function readDay(text: string): Date {
  const day = new Date(text);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime());
  if (isDay && day.toISOString().startsWith(text)) return day;
  throw new UsageError('--since takes a day such as 2027-01-31.');
}
