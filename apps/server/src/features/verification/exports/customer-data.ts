import { VERDICTS } from '@assay/contract';
import type { Db } from '../../../platform/database/database.ts';
import type { Reading } from '../../../platform/database/reads.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { FairQueue } from '../../../platform/limits/fair-queue.ts';
import type { ZipPart } from '../../../platform/zip/write-zip.ts';
import { partName } from '../../lists/index.ts';
import { emailLists } from '../lists/email-lists.ts';
import { exportSingles } from '../singles/export-singles.ts';
import { findExportLayout } from './export-layout.ts';
import { streamExport } from './stream-export.ts';

interface DataParts {
  readonly db: Db;
  readonly reading: Reading;
  readonly pageTurns: FairQueue;
}

const order = { formulas: 'neutralised', format: 'csv', expiresAt: 0 } as const;

/** The single checks and lists of a customer, each list row for row with its results so far. */
export async function* verificationsOf(
  { db, reading, pageTurns }: DataParts,
  ownerId: AccountId,
): AsyncGenerator<ZipPart> {
  yield { name: 'single-verifications.csv', contents: exportSingles(reading, { ownerId, ...order }) };
  for await (const { id: listId, name } of emailLists.answers.findAll(db, ownerId)) {
    const place = { ownerId, listId };
    const layout = await findExportLayout(db, place).catch(ifDeleted);
    if (!layout) continue;
    const requireList = () => emailLists.answers.require(db, place);
    const listOrder = { ...place, ...order, verdicts: [...VERDICTS], safe: false, rows: 'all' as const };
    const contents = streamExport({ reading, pageTurns, requireList }, layout, listOrder);
    yield { name: partName('lists', { listId, name }), contents };
  }
}

/** A list may be deleted while the archive is written. */
function ifDeleted(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'list_not_found')) throw error;
}
