import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { onBehalfOf } from '../../../platform/database/fair-pool.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { findChangeClock, findSuppressed, findTargetsAfter } from '../../suppressions/index.ts';
import type { ScreenAnswer, ScreenQuestion } from './screen.ts';

interface ScreenParts {
  readonly db: Db;
  readonly clock: Clock;
}

/** What the job that counts a file needs to leave suppressed addresses out. */
interface OpenScreen {
  /** The last change of suppressions that it is sure to know; null if it looks at none. */
  readonly screenedNumber: number | null;
  /** Missing if nothing is suppressed. */
  readonly answer: ((question: unknown) => Promise<ScreenAnswer>) | undefined;
}

/** About half a megabyte. */
const targetsPerPage = 20_000;

/** Nothing is screened for the sandbox, which asks nobody, and where the call says so. */
export const openScreen =
  (
    { db, clock }: ScreenParts,
    ownerId: AccountId,
    { isSandbox, ignoresSuppression }: { readonly isSandbox: boolean; readonly ignoresSuppression: boolean },
  ) =>
  /** In the transaction that is open already, if there is one. */
  async (reading: Db): Promise<OpenScreen> => {
    if (isSandbox || ignoresSuppression) return { screenedNumber: null, answer: undefined };
    const { last_number: screenedNumber, entries } = await findChangeClock(reading, ownerId);
    if (entries === 0) return { screenedNumber, answer: undefined };
    const whose = { ownerId, now: clock.now() };
    const answer = async (question: ScreenQuestion): Promise<ScreenAnswer> => {
      if (question.kind === 'which') {
        const targets = await findSuppressed(db, whose, question.targets);
        return { lines: targets.join('\n'), last: null };
      }
      const page = await findTargetsAfter(db, whose, { after: question.target, limit: targetsPerPage });
      return page ?? { lines: '', last: null };
    };
    // A thread asks, which knows nothing of the call.
    return {
      screenedNumber,
      answer: (question) => onBehalfOf(ownerId, () => answer(question as ScreenQuestion)),
    };
  };

/** Whether the counts of an upload still fit what is suppressed now, and what a call wants. */
export async function isScreenedAsNow(
  { db }: Pick<ScreenParts, 'db'>,
  ownerId: AccountId,
  upload: {
    readonly isSandbox: boolean;
    readonly screenedNumber: number | null;
    readonly reading: { readonly suppressedHashes: Uint8Array | null };
  },
  ignoresSuppression: boolean,
): Promise<boolean> {
  if (upload.isSandbox) return true;
  if (ignoresSuppression) return upload.reading.suppressedHashes === null;
  return (upload.screenedNumber ?? 0) === (await findChangeClock(db, ownerId)).last_number;
}
