import { GUESS_OUTCOMES } from '@assay/contract';
import { type RowPage, writeCsv } from '../../../platform/csv/write-rows.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Reading } from '../../../platform/database/reads.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { ZipPart } from '../../../platform/zip/write-zip.ts';
import { partName } from '../../lists/index.ts';
import { findGuessesAfter } from '../guesses.store.ts';
import { exportPeople } from './export-guess-list.ts';
import { peopleLists } from './people-lists.ts';

const columns = ['first_name', 'last_name', 'domain', 'email', 'result', 'reason', 'date'];
const pageLength = 1_000;

/** The guesses of a customer, alone and in lists. */
export async function* guessesOf(
  { db, reading }: { readonly db: Db; readonly reading: Reading },
  ownerId: AccountId,
): AsyncGenerator<ZipPart> {
  yield { name: 'guesses.csv', contents: writeCsv(columns, pagesOf(db, ownerId)) };
  for await (const { id: listId, name } of peopleLists.answers.findAll(db, ownerId)) {
    const order = { ownerId, listId, outcomes: [...GUESS_OUTCOMES], rows: 'all' as const, expiresAt: 0 };
    const contents = await exportPeople(reading, { ...order, formulas: 'neutralised', format: 'csv' }).catch(
      ifDeleted,
    );
    if (contents !== undefined) yield { name: partName('guess-lists', { listId, name }), contents };
  }
}

async function* pagesOf(db: Db, ownerId: AccountId): AsyncGenerator<RowPage> {
  for (let after: string | undefined; ; ) {
    const guesses = await findGuessesAfter(db, ownerId, { after, limit: pageLength });
    yield guesses.values().map((guess) => {
      const { first_name, last_name, domain, email_address, outcome, reason, created_at } = guess;
      return [
        first_name,
        last_name,
        domain,
        email_address ?? '',
        outcome ?? '',
        reason ?? '',
        created_at.toISOString(),
      ];
    });
    if (guesses.length < pageLength) return;
    after = guesses.at(-1)?.id;
  }
}

/** A list may be deleted while the archive is written. */
function ifDeleted(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'list_not_found')) throw error;
}
