import { setImmediate as nextTurn } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { CheckFinder, FoundCheck } from '../../outcomes/index.ts';
import { isLarge } from '../rows/large-lists.store.ts';
import { addressKey, comparedAddress } from './address-key.ts';
import {
  type FoundRow,
  findCheckedRows,
  findListsWithoutRun,
  findRowsOfRun,
  findRuns,
  insertRun,
  readAddresses,
} from './address-runs.store.ts';
import { hasFewerSingles, lookUpSingles, readSingles } from './checked-singles.store.ts';
import { RowPacker } from './packed-rows.ts';

/** Lists with fewer rows together have no run yet: reading them takes less than keeping a run of them. */
const rowsOfRunMin = 50_000;
const candidatesAtATime = 5_000;
/** Memory bounds it: of each, a list and a number are there. */
const gatheredAtOnce = 100_000;

/** Finds checks of addresses among all results of a customer. See docs/decisions/outcomes-address-runs.md. */
export const createCheckFinder = (db: Db): CheckFinder => ({
  async *find(ownerId, emails, since, signal) {
    const wanted = await WantedAddresses.of(emails);
    yield* findSingles(db, ownerId, wanted, since);
    for await (const rows of gathered(findRows(db, ownerId, wanted, since, signal))) {
      for await (const checks of checksOf(db, ownerId, wanted, rows, since)) {
        signal.throwIfAborted();
        yield checks;
      }
    }
  },
});

/** Addresses by the key of their hash, and by the spelling that decides. */
class WantedAddresses {
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #keys: ReadonlySet<number>;
  readonly sorted: Uint32Array;

  private constructor(indexOf: ReadonlyMap<string, number>, keys: ReadonlySet<number>) {
    this.#indexOf = indexOf;
    this.#keys = keys;
    this.sorted = new Uint32Array(keys).sort();
  }

  /** In short steps, because there may be hundreds of thousands. */
  static async of(emails: readonly string[]): Promise<WantedAddresses> {
    const indexOf = new Map<string, number>();
    const keys = new Set<number>();
    for (const [index, email] of emails.entries()) {
      if (index % candidatesAtATime === candidatesAtATime - 1) await nextTurn();
      const compared = comparedAddress(email);
      if (compared === undefined) continue;
      keys.add(compared.key);
      indexOf.set(compared.address, index);
    }
    return new WantedAddresses(indexOf, keys);
  }

  get size(): number {
    return this.#indexOf.size;
  }

  has(key: number): boolean {
    return this.#keys.has(key);
  }

  /** Which of the addresses it is, in any spelling. */
  indexOf(email: string): number | undefined {
    return this.#indexOf.get(comparedAddress(email)?.address ?? '');
  }

  /** Of some addresses after the others. */
  *spellings(): Generator<string[]> {
    const addresses = [...this.#indexOf.keys()];
    for (let from = 0; from < addresses.length; from += candidatesAtATime)
      yield addresses.slice(from, from + candidatesAtATime).flatMap(spellingsOf);
  }
}

function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1;
  const unicode = address.slice(0, at) + domainToUnicode(address.slice(at));
  return unicode === address ? [address] : [address, unicode];
}

/** Looks each address up, or through all checks if they are fewer. */
async function* findSingles(
  db: Db,
  ownerId: AccountId,
  wanted: WantedAddresses,
  since: Date,
): AsyncGenerator<FoundCheck[]> {
  const pages = (await hasFewerSingles(db, ownerId, wanted.size))
    ? readSingles(db, ownerId, since)
    : lookUpSingles(db, ownerId, wanted.spellings(), since);
  for await (const rows of pages) {
    yield rows.flatMap(({ id, email, checkedAt }) => {
      const index = wanted.indexOf(email);
      return index === undefined ? [] : [{ index, checkId: id, rowNumber: 0, isOfList: false, checkedAt }];
    });
  }
}

/** The rows of lists that may have a wanted address. Makes runs of lists that have none yet. */
async function* findRows(
  db: Db,
  ownerId: AccountId,
  wanted: WantedAddresses,
  since: Date,
  signal: AbortSignal,
): AsyncGenerator<FoundRow[]> {
  const runs = await findRuns(db, ownerId);
  let packer = new RowPacker();
  let listIds: string[] = [];
  for (const listId of await findListsWithoutRun(db, ownerId, since)) {
    const list = listIds.push(listId) - 1;
    for await (const page of readAddresses(db, ownerId, listId)) {
      signal.throwIfAborted();
      const found: FoundRow[] = [];
      for (const [index, { rowNumber, email }] of page.entries()) {
        if (index % candidatesAtATime === candidatesAtATime - 1) await nextTurn();
        const key = addressKey(email);
        if (key === undefined) continue;
        packer.add({ key, list, rowNumber });
        if (wanted.has(key)) found.push({ listId, rowNumber });
      }
      yield found;
    }
    if (packer.size < rowsOfRunMin) continue;
    await insertRun(db, ownerId, listIds, packer);
    packer = new RowPacker();
    listIds = [];
  }
  for (const run of runs) yield* findRowsOfRun(db, ownerId, run, wanted.sorted);
}

/** Packs hold rows in the order of hashes. Many of them together can be looked up in the order of the tables. */
async function* gathered(pages: AsyncIterable<FoundRow[]>): AsyncGenerator<FoundRow[]> {
  let rows: FoundRow[] = [];
  for await (const page of pages) {
    for (const row of page) rows.push(row);
    await nextTurn();
    if (rows.length < gatheredAtOnce) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

async function* checksOf(
  db: Db,
  ownerId: AccountId,
  wanted: WantedAddresses,
  rows: readonly FoundRow[],
  since: Date,
): AsyncGenerator<FoundCheck[]> {
  const partitions = Map.groupBy(rows, ({ listId }) => (isLarge(listId) ? listId : 'shared'));
  for (const ofPartition of partitions.values()) {
    const sorted = inOrderOfTables(ofPartition);
    await nextTurn();
    for (let from = 0; from < sorted.length; from += candidatesAtATime) {
      const checked = await findCheckedRows(db, ownerId, sorted.slice(from, from + candidatesAtATime));
      yield checked.flatMap(({ listId, rowNumber, email, checkedAt }) => {
        // Another address may have the same hash.
        const index = wanted.indexOf(email);
        return index === undefined || checkedAt < since
          ? []
          : [{ index, checkId: listId, rowNumber, isOfList: true, checkedAt }];
      });
    }
  }
}

/** Sorting plain numbers takes a tenth of the time of sorting objects. */
function inOrderOfTables(rows: readonly FoundRow[]): FoundRow[] {
  const byList = Map.groupBy(rows, ({ listId }) => listId);
  return [...byList]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([listId, ofList]) => {
      const rowNumbers = Uint32Array.from(ofList, ({ rowNumber }) => rowNumber).sort();
      return Array.from(rowNumbers, (rowNumber) => ({ listId, rowNumber }));
    });
}
