import { COUNTED_EMAILS_MAX, type PageQuery } from '@assay/contract';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { FairQueue } from '../../../platform/limits/fair-queue.ts';
import type { ListPlace } from '../../lists/index.ts';
import { type BlockEnds, findRowNumbers, readBlockEnds } from './address-blocks.store.ts';

/** 250 kB for a list of a million rows. */
const listsKeptMax = 40;
/** Pages that read many rows, of all customers together: each keeps a processor of the database busy. */
const atOnce = 2;
/** Pages of one customer that may wait. */
const waitingMax = 5;

interface PageRange {
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly count: number;
}

/** Whether a page comes after so many rows that finding it takes long. */
export const isFar = ({ page_number, page_size }: PageQuery): boolean =>
  (page_number - 1) * page_size > COUNTED_EMAILS_MAX;

/** Pages that are far down, of lists and of single checks. The rows before them must be counted first. */
export class FarPages {
  readonly #db: Db;
  /** Those used longest ago come first. */
  readonly #kept = new Map<string, Promise<BlockEnds>>();
  readonly #turns = new FairQueue({
    placeCount: atOnce,
    perCustomer: {
      waitingMax,
      text: 'You are opening too many pages far down at once. Wait for one of them, narrow your search, or download the results.',
    },
  });

  constructor(db: Db) {
    this.#db = db;
  }

  /** Runs a statement that reads all rows before a page, so that no customer keeps the database busy for others. */
  read<Found>(ownerId: AccountId, statement: () => Promise<Found>): Promise<Found> {
    return this.#turns.run(ownerId, statement);
  }

  /** The numbers of the rows of a page of a large list without a filter. Blocks never change, so they are counted once. */
  async rowsAt(place: ListPlace, { direction, offset, count }: PageRange): Promise<number[]> {
    const { numbers, ends } = await this.#endsOf(place);
    const total = ends.at(-1) ?? 0;
    const from = direction === 'asc' ? offset : Math.max(0, total - offset - count);
    const to = direction === 'asc' ? Math.min(total, offset + count) : total - offset;
    if (from >= to) return [];
    const first = firstAbove(ends, from);
    const start = first === 0 ? 0 : (ends[first - 1] ?? 0);
    const blocks = { first: numbers[first] ?? 0, last: numbers[firstAbove(ends, to - 1)] ?? 0 };
    return findRowNumbers(this.#db, place, blocks, { offset: from - start, count: to - from });
  }

  #endsOf(place: ListPlace): Promise<BlockEnds> {
    const key = `${place.ownerId} ${place.listId}`;
    const kept = this.#kept.get(key) ?? this.read(place.ownerId, () => readBlockEnds(this.#db, place));
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > listsKeptMax && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}

/** The first place whose value is above a number. */
function firstAbove(values: Int32Array, number: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > number) high = middle;
    else low = middle + 1;
  }
  return low;
}
