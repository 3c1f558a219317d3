import {
  type AccountQuestions,
  type ListQuestions,
  OPERATOR_ROWS_MAX,
  type ProviderQuestions,
} from '@assay/contract/operator';
import { type BillLine, findBills, findProviderBills } from '../engine/index.ts';
import type { OperatorParts } from './actions.ts';
import { findListNames, findOwners } from './customers.store.ts';
import { requireCustomer } from './customers.ts';

const dayMs = 86_400_000;
const daysDefault = 30;

interface Period {
  readonly days?: number | undefined;
}

const sinceOf = ({ clock }: OperatorParts, { days = daysDefault }: Period): Date =>
  new Date(clock.now().getTime() - (days - 1) * dayMs);

const countsOf = ({
  provider,
  questions,
  proofs,
  controls,
  unknown,
  blocked,
}: Omit<BillLine, 'account' | 'list'>) => ({
  provider,
  questions,
  proofs,
  controls,
  unknown,
  blocked,
});

/** What all accounts asked mail providers, and so what they cost the reputation of our addresses. */
export async function findQuestions(
  parts: OperatorParts,
  period: Period,
): Promise<{ providers: ProviderQuestions[]; accounts: AccountQuestions[] }> {
  const { db } = parts;
  const since = sinceOf(parts, period);
  const lines = await findBills(db, { since, limit: OPERATOR_ROWS_MAX });
  const owners = await findOwners(db, [...new Set(lines.map(({ account }) => account))]);
  return {
    providers: (await findProviderBills(db, { since, limit: OPERATOR_ROWS_MAX })).map(countsOf),
    accounts: lines.flatMap((line) => {
      const owner = owners.get(line.account);
      // The account may be deleted by now.
      return owner === undefined ? [] : [{ ...countsOf(line), owner }];
    }),
  };
}

/** What the lists, single checks and guesses of a customer asked. */
export async function findQuestionsOf(
  parts: OperatorParts,
  customerId: string,
  period: Period,
): Promise<ListQuestions[]> {
  const { db } = parts;
  await requireCustomer(db, customerId);
  const since = sinceOf(parts, period);
  const lines = await findBills(db, { since, ownerId: customerId, limit: OPERATOR_ROWS_MAX });
  const listIds = lines.flatMap(({ list }) => (list === null ? [] : [list]));
  const names = await findListNames(db, customerId, listIds);
  return lines.map((line) => ({
    ...countsOf(line),
    list: line.list === null ? null : { id: line.list, name: names.get(line.list) ?? null },
  }));
}
