import type { FeatureFlags, PageQuery } from '@assay/contract';
import type { OperatorCustomerDetail, OperatorList } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import {
  getWallet,
  grantCredits,
  listTransactions,
  readAvailableCredits,
  refreshBilling,
  type WalletParts,
} from '../billing/index.ts';
import { peopleLists } from '../guessing/index.ts';
import type { ListHead, Lists } from '../lists/index.ts';
import { findUser, listKeysWithoutSecrets, setFeatureFlag } from '../users/index.ts';
import { emailLists } from '../verification/index.ts';
import { findScore } from './abuse.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { customerAnswer, findCustomers } from './customers.store.ts';
import { isOperator } from './operators.ts';

export async function describeCustomer(
  parts: WalletParts,
  customerId: string,
): Promise<OperatorCustomerDetail> {
  const { db } = parts;
  const [row] = await findCustomers(db, customerId);
  const user = await findUser(db, customerId);
  if (!row || !user) throw new AppError('customer_not_found', { customerId });
  return {
    ...customerAnswer(row),
    phone: user.phone,
    identities: user.identities,
    feature_flags: user.feature_flags,
    is_operator: await isOperator(db, customerId),
    wallet: await getWallet(parts, customerId),
    keys: await listKeysWithoutSecrets(db, customerId),
    abuse: await findScore(db, customerId),
  };
}

export async function findListsOf(
  { db }: OperatorParts,
  customerId: string,
  { kind, ...page }: PageQuery & { readonly kind: OperatorList['kind'] },
): Promise<{ results: OperatorList[]; total: number }> {
  await requireCustomer(db, customerId);
  return kind === 'emails'
    ? pageOfLists(db, kind, emailLists, customerId, page)
    : pageOfLists(db, kind, peopleLists, customerId, page);
}

async function pageOfLists<Row extends ListHead, Outcome extends string>(
  db: Db,
  kind: OperatorList['kind'],
  lists: Lists<Row, Outcome>,
  ownerId: string,
  page: PageQuery,
) {
  const { rows, total } = await lists.findPage(db, ownerId, { ...page, sort: '-creation_date' });
  return { results: rows.map((list) => listAnswer(kind, lists, ownerId, list)), total };
}

export async function findTransactionsOf({ db }: OperatorParts, customerId: string, page: PageQuery) {
  await requireCustomer(db, customerId);
  // Operators see lists in a table of their own.
  const findListNames = async () => new Map<string, string>();
  return listTransactions({ db, findListNames }, customerId, page);
}

async function requireCustomer(db: Db, customerId: string): Promise<void> {
  if (!(await findUser(db, customerId))) throw new AppError('customer_not_found', { customerId });
}

export function listAnswer<Row extends ListHead, Outcome extends string>(
  kind: OperatorList['kind'],
  lists: Lists<Row, Outcome>,
  ownerId: string,
  list: Row,
): OperatorList {
  const { id, name, status, run_state, progress, creation_date } = lists.answerOf(list);
  const { total } = lists.countsOf(list);
  return { id, owner_id: ownerId, kind, name, status, run_state, progress, total, creation_date };
}

/** Grants credits once per key. The customer reads the reason in their history. */
export async function grantByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  {
    customerId,
    credits,
    key,
  }: { readonly customerId: string; readonly credits: number; readonly key: string },
): Promise<{ granted: number; balance: number }> {
  await requireCustomer(db, customerId);
  const granted = await db.transaction().execute(async (tx) => {
    const now = clock.now();
    const { grantedCredits } = await grantCredits(tx, {
      ownerId: customerId,
      key: `operator:${key}`,
      credits,
      category: 'GRANT',
      source: 'SUPPORT',
      description: by.reason,
      now,
    });
    if (grantedCredits === 0) return 0;
    await refreshBilling(tx, customerId);
    const about = `${grantedCredits} credits`;
    await recordAction(tx, by, { kind: 'customer.credits', customerId, about, now });
    return grantedCredits;
  });
  return { granted, balance: await readAvailableCredits(db, customerId) };
}

export async function setFlagByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  {
    customerId,
    flag,
    isOn,
  }: { readonly customerId: string; readonly flag: keyof FeatureFlags; readonly isOn: boolean },
): Promise<void> {
  await requireCustomer(db, customerId);
  await db.transaction().execute(async (tx) => {
    await setFeatureFlag(tx, customerId, { flag, isOn });
    const about = `${flag} ${isOn ? 'on' : 'off'}`;
    await recordAction(tx, by, { kind: 'customer.flag', customerId, about, now: clock.now() });
  });
}
