import type { FeatureFlags, PageQuery } from '@assay/contract';
import type { OperatorCustomerDetail, OperatorList } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { listActivities } from '../activity/index.ts';
import {
  getWallet,
  grantCredits,
  listInvoices,
  listTransactions,
  operatorKeyPrefix,
  readAvailableCredits,
  refreshBilling,
  takeBackGrant,
  type WalletParts,
} from '../billing/index.ts';
import { peopleLists } from '../guessing/index.ts';
import type { ListHead, Lists, ListWaits } from '../lists/index.ts';
import { findUser, listKeysWithoutSecrets, setFeatureFlag } from '../users/index.ts';
import { emailLists } from '../verification/index.ts';
import { listDeliveriesOf, listWebhookHosts } from '../webhooks/index.ts';
import { findScore } from './abuse.store.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { customerAnswer, findCustomers } from './customers.store.ts';
import { findOperatorRole } from './operators.store.ts';

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
    operator_role: await findOperatorRole(db, customerId),
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
    ? pageOfLists(db, emailLists, customerId, page)
    : pageOfLists(db, peopleLists, customerId, page);
}

async function pageOfLists<Row extends ListHead, Outcome extends string>(
  db: Db,
  lists: Lists<Row, Outcome>,
  ownerId: AccountId,
  page: PageQuery,
) {
  const { rows, total } = await lists.answers.findPage(db, ownerId, { ...page, sort: '-creation_date' });
  return { results: rows.map((list) => listAnswer(lists, ownerId, list)), total };
}

export async function findTransactionsOf({ db }: OperatorParts, customerId: string, page: PageQuery) {
  await requireCustomer(db, customerId);
  // Operators see lists in a table of their own.
  const findListNames = async () => new Map<string, string>();
  return listTransactions({ db, findListNames }, customerId, page);
}

export async function findWebhooksOf({ db }: OperatorParts, customerId: string) {
  await requireCustomer(db, customerId);
  return { results: await listWebhookHosts(db, customerId) };
}

export async function findDeliveriesOf({ db }: OperatorParts, customerId: string, page: PageQuery) {
  await requireCustomer(db, customerId);
  return listDeliveriesOf(db, customerId, page);
}

export async function findPaymentsOf({ db }: OperatorParts, customerId: string, page: PageQuery) {
  await requireCustomer(db, customerId);
  return listInvoices(db, customerId, page);
}

export async function findActivityOf({ db }: OperatorParts, customerId: string, page: PageQuery) {
  await requireCustomer(db, customerId);
  return listActivities(db, customerId, page);
}

export async function requireCustomer(db: Db, customerId: string): Promise<void> {
  if (!(await findUser(db, customerId))) throw new AppError('customer_not_found', { customerId });
}

export function listAnswer<Row extends ListHead, Outcome extends string>(
  lists: Lists<Row, Outcome>,
  ownerId: AccountId,
  list: Row,
  waits?: ListWaits,
): OperatorList {
  const { id, name, status, run_state, progress, creation_date } = lists.answers.answerOf(list, waits);
  const { total } = lists.answers.countsOf(list);
  return {
    id,
    owner_id: ownerId,
    kind: list.kind,
    name,
    status,
    run_state,
    is_preparing: list.status === 'PREPARING',
    progress,
    total,
    creation_date,
  };
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
      key: `${operatorKeyPrefix}${key}`,
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

/** Takes back what is left of a grant, once. What is on hold follows when its work gives it back. */
export async function takeGrantBackByOperator(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  { customerId, entryNumber }: { readonly customerId: string; readonly entryNumber: number },
): Promise<{ taken: number; claimed: number; balance: number }> {
  await requireCustomer(db, customerId);
  const { takenCredits: taken, claimedCredits: claimed } = await db.transaction().execute(async (tx) => {
    const now = clock.now();
    const grant = await takeBackGrant(tx, { ownerId: customerId, entryNumber, reason: by.reason, now });
    if (!grant) throw new AppError('grant_not_found', { customerId, entryNumber });
    const { takenCredits, claimedCredits, isFirst } = grant;
    if (takenCredits + claimedCredits === 0) throw new AppError('grant_spent', { customerId, entryNumber });
    if (!isFirst) return grant;
    await refreshBilling(tx, customerId);
    const about = `${takenCredits} credits of entry ${entryNumber}, ${claimedCredits} more when work gives them back`;
    await recordAction(tx, by, { kind: 'customer.credits_taken', customerId, about, now });
    return grant;
  });
  return { taken, claimed, balance: await readAvailableCredits(db, customerId) };
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
