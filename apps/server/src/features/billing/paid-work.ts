import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  captureHolds,
  type EntryText,
  growHold,
  placeHolds,
  readAvailableCredits,
  releaseHold,
  type WorkKind,
} from './credit-ledger.store.ts';
import { chargeKey, type PayingKey, requireKeyCredits } from './key-usage.store.ts';
import { takeClaimed } from './payments/claims.ts';
import { refreshBilling } from './refresh-billing.ts';

/**
 * A piece of work that a customer pays for, such as a list: it holds its full cost when it starts and settles what was
 * due when it ends. Sandbox work costs nothing and does neither, and its callers do not need to know.
 *
 * Holding and settling lock the wallet until the transaction ends: call them last.
 */
export interface PaidWork {
  /** Refuses work that the customer cannot pay for, before anything is done for it. The hold decides in the end. */
  requireCredits(db: Db, credits: number, now: Date): Promise<void>;
  /** Holds the full cost, or refuses the work. */
  hold(tx: Tx, credits: number, now: Date): Promise<void>;
  /** Makes the hold as large as the full cost, which was not known before, or refuses the work. */
  grow(tx: Tx, credits: number): Promise<void>;
  /** Takes what was due and gives the rest back. */
  settle(tx: Tx, dueCredits: number, now: Date): Promise<void>;
  /** Settles work that ends early. The history calls it stopped. */
  stop(tx: Tx, dueCredits: number, now: Date): Promise<void>;
  /** Gives everything back, without an entry in the history. */
  release(tx: Tx, now: Date): Promise<void>;
}

interface WorkOrder {
  readonly kind: WorkKind;
  readonly ownerId: AccountId;
  readonly id: string;
  readonly isSandbox?: boolean;
  /** The API key that orders it, which may have a limit. Only `requireCredits` and `hold` need it. */
  readonly apiKey?: PayingKey | undefined;
}

export function paidWork({ kind, ownerId, id, isSandbox, apiKey }: WorkOrder): PaidWork {
  if (isSandbox) return freeWork;
  refuseTestKey(apiKey);
  const reference = `${kind}:${id}` as const;
  return {
    requireCredits: async (db, credits, now) => {
      const available = await readAvailableCredits(db, ownerId);
      if (available < credits) throw shortOf({ credits, available });
      if (apiKey) await requireKeyCredits(db, { ownerId, apiKey, credits, now });
    },
    hold: (tx, creditsEach, now) => holdTogether(tx, { kind, ownerId, ids: [id], creditsEach, apiKey, now }),
    grow: async (tx, credits) => {
      await refreshBilling(tx, ownerId);
      const outcome = await growHold(tx, { ownerId, reference, credits });
      if (!outcome.grown)
        throw shortOf({ credits, available: outcome.availableCredits, next: 'send the file again' });
      const { addedCredits, apiKeyId, placedAt } = outcome;
      // On the day of the hold, to which the rest goes back when the work ends.
      if (apiKeyId !== null) {
        const key = { id: apiKeyId, isScoped: true, isTest: false, monthlyCreditLimit: null };
        await chargeKey(tx, { ownerId, apiKey: key, credits: addedCredits, now: placedAt });
      }
    },
    settle: (tx, dueCredits, now) => settleTogether(tx, { kind, ownerId, works: [{ id, dueCredits }], now }),
    stop: (tx, dueCredits, now) =>
      settleTogether(tx, { kind, ownerId, works: [{ id, dueCredits }], now, remark: ', stopped' }),
    release: async (tx, now) => {
      await refreshBilling(tx, ownerId);
      const { claimed } = await releaseHold(tx, { ownerId, reference, now });
      if (claimed) await takeClaimed(tx, { ownerId, reference, returned: claimed, now });
    },
  };
}

interface BusyWorks {
  /** Whether the caller has published `billingChanged` already, before it locked rows that all work of the customer shares. */
  readonly isPublished?: boolean;
}

interface HeldWorks extends Omit<WorkOrder, 'id' | 'isSandbox'>, BusyWorks {
  readonly ids: readonly string[];
  readonly creditsEach: number;
  readonly now: Date;
}

/** Holds the cost of several pieces of paid work with one statement, or refuses all of them. */
export async function holdTogether(tx: Tx, works: HeldWorks): Promise<void> {
  const { kind, ownerId, ids, creditsEach, apiKey, now } = works;
  refuseTestKey(apiKey);
  const credits = creditsEach * ids.length;
  if (!works.isPublished) await refreshBilling(tx, ownerId);
  const references = ids.map((id) => `${kind}:${id}` as const);
  const apiKeyId = apiKey?.isScoped ? apiKey.id : undefined;
  const outcome = await placeHolds(tx, { ownerId, references, creditsEach, apiKeyId, now });
  if (!outcome.placed) throw shortOf({ credits, available: outcome.availableCredits });
  if (apiKey) await chargeKey(tx, { ownerId, apiKey, credits, now });
}

interface SettledWorks extends Pick<WorkOrder, 'kind' | 'ownerId'>, BusyWorks {
  readonly works: readonly { readonly id: string; readonly dueCredits: number }[];
  readonly now: Date;
  /** Follows the text of the entries. */
  readonly remark?: string;
}

/** Settles several pieces of paid work with one statement. */
export async function settleTogether(tx: Tx, settled: SettledWorks): Promise<void> {
  const { kind, ownerId, now, remark = '' } = settled;
  const text = entryTexts[kind];
  const works = settled.works.map(({ id, dueCredits }) => ({
    reference: `${kind}:${id}` as const,
    dueCredits,
  }));
  if (!settled.isPublished) await refreshBilling(tx, ownerId);
  const description = `${text.description}${remark}`;
  const settlements = await captureHolds(tx, { ...text, description, ownerId, works, now });
  for (const [place, { reference }] of works.entries()) {
    const returned = settlements[place]?.claimed;
    if (returned) await takeClaimed(tx, { ownerId, reference, returned, now });
  }
}

function refuseTestKey(apiKey: PayingKey | undefined): void {
  if (apiKey?.isTest) throw new AppError('test_key_not_accepted', { keyId: apiKey.id });
}

const doNothing = async () => undefined;

const freeWork: PaidWork = {
  requireCredits: doNothing,
  hold: doNothing,
  grow: doNothing,
  settle: doNothing,
  stop: doNothing,
  release: doNothing,
};

const entryTexts: Readonly<Record<WorkKind, EntryText>> = {
  single: { category: 'VERIFICATION', source: 'SINGLE', description: 'Single verification' },
  list: { category: 'VERIFICATION', source: 'LIST', description: 'List verification' },
  guess: { category: 'GUESSING', source: 'SINGLE', description: 'Email guess' },
  'guess-list': { category: 'GUESSING', source: 'LIST', description: 'Guessed list' },
};

interface Shortage {
  readonly credits: number;
  readonly available: number;
  /** What to do after buying. */
  readonly next?: string;
}

function shortOf({ credits, available, next = 'try again' }: Shortage): AppError {
  const needed = `${credits.toLocaleString('en-US')} ${credits === 1 ? 'credit' : 'credits'}`;
  const text = `Your balance does not cover this: it needs ${needed}, and you have ${Math.max(0, available).toLocaleString('en-US')}. Buy credits, then ${next}.`;
  const shortBy = credits - available;
  return new AppError('insufficient_credits', { credits: shortBy }, { text, meta: { short_by: shortBy } });
}
