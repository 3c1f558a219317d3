import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type Asked, sumAsked } from './bills.store.ts';

/** What a list will probably ask the hosts of one provider. */
export interface ExpectedQuestions {
  readonly addresses: number;
  /** With proofs, controls and further tries. */
  readonly questions: number;
  /** Recipients that the provider will not know; null while the account has asked too little to tell. */
  readonly refusals: number | null;
}

/** Fewer questions say nothing about the next ones. */
const questionsMin = 100;
const daysCounted = 30;

/**
 * How many questions addresses at each provider (null for all without published limits) will cost. How many mailboxes are gone
 * depends on where a customer's lists come from, so only the account's own bills count; others' would also tell about others.
 */
export async function expectQuestions(
  db: Db,
  ownerId: AccountId,
  addresses: ReadonlyMap<string | null, number>,
): Promise<Map<string | null, ExpectedQuestions>> {
  const published = [...addresses.keys()].filter((name) => name !== null);
  const rows = await sumAsked(db, { ownerId, published, days: daysCounted });
  const all = rows.reduce(
    (sum, { questions, ordinary, unknown }) => ({
      questions: sum.questions + questions,
      ordinary: sum.ordinary + ordinary,
      unknown: sum.unknown + unknown,
    }),
    { questions: 0, ordinary: 0, unknown: 0 },
  );
  return new Map(
    [...addresses].map(([provider, count]) => {
      const asked = rows.find((row) => row.provider === provider);
      return [provider, expectAt(count, asked !== undefined && asked.ordinary >= questionsMin ? asked : all)];
    }),
  );
}

function expectAt(addresses: number, { questions, ordinary, unknown }: Asked): ExpectedQuestions {
  if (ordinary < questionsMin) return { addresses, questions: addresses, refusals: null };
  return {
    addresses,
    questions: Math.round((addresses * questions) / ordinary),
    refusals: Math.min(addresses, Math.round((addresses * unknown) / ordinary)),
  };
}
