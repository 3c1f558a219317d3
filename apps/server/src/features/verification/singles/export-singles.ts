import { ADDRESS_FLAGS, exportFormatSchema, formulasSchema, VERDICTS } from '@assay/contract';
import * as z from 'zod/mini';
import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { byteOrderMark, writeRows } from '../../../platform/csv/write-rows.ts';
import type { Reading } from '../../../platform/database/reads.ts';
import { writeXlsx } from '../../../platform/workbooks/write-xlsx.ts';
import { findOutcomesOfSingles, hasReported, outcomeText } from '../../outcomes/index.ts';
import { addedColumns, outcomeColumn } from '../../uploads/index.ts';
import { findSinglesToExport, type SingleRow } from './singles.store.ts';

/** The order that a link to a file of single checks carries. */
export const singlesOrderSchema = z.strictObject({
  ownerId: z.uuid(),
  search: z.optional(z.string()),
  verdicts: z.optional(z.array(z.enum(VERDICTS))),
  isSandboxOnly: z.optional(z.boolean()),
  formulas: formulasSchema,
  format: exportFormatSchema,
  expiresAt: z.number(),
});
type SinglesOrder = z.output<typeof singlesOrderSchema>;

export const singlesExportName = 'Single verifications';

const header = ['email', ...addedColumns, 'date'];
const pageLength = 1_000;

/** No database connection is held while the client reads. */
export async function* exportSingles(reading: Reading, order: SinglesOrder): AsyncGenerator<Buffer> {
  if (order.format === 'xlsx') {
    return yield* writeXlsx(pagesOf(reading, order), { hasHeader: true });
  }
  yield Buffer.from(byteOrderMark);
  for await (const rows of pagesOf(reading, order)) yield* writeRows(rows, ',');
}

async function* pagesOf(reading: Reading, order: SinglesOrder): AsyncGenerator<string[][]> {
  const { ownerId } = order;
  const hasOutcomes = await reading.read(({ db }) => hasReported(db, ownerId));
  yield [hasOutcomes ? [...header, outcomeColumn] : header];
  for (let last: SingleRow | undefined; ; ) {
    const { singles, outcomes } = await reading.read(async ({ db }) => {
      const page = await findSinglesToExport(db, ownerId, order, { last, limit: pageLength });
      const ids = page.map(({ id }) => id);
      return {
        singles: page,
        outcomes: hasOutcomes ? await findOutcomesOfSingles(db, ownerId, ids) : undefined,
      };
    });
    const rows = singles.map((single) => {
      const [latest] = outcomes?.get(single.id) ?? [];
      return [...rowOf(single), ...(outcomes ? [latest ? outcomeText(latest) : ''] : [])];
    });
    yield order.formulas === 'raw' ? rows : rows.map((row) => row.map(neutraliseFormula));
    last = singles.at(-1);
    if (singles.length < pageLength) return;
  }
}

const rowOf = ({ email_address, verdict, reason, detail, created_at }: SingleRow): string[] => [
  email_address,
  verdict ?? '',
  reason ?? '',
  ADDRESS_FLAGS.filter((flag) => detail?.flags?.[flag]).join(' '),
  detail?.mx_provider ?? '',
  detail?.suggestion ?? '',
  created_at.toISOString(),
];
