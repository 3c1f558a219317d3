import {
  OPERATOR_ROWS_MAX,
  type OperatorError,
  type OperatorFindings,
  type OperatorList,
} from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { uuid } from '../../platform/database/uuid.ts';
import { type ErrorFilter, findErrors } from '../../platform/operation-errors.ts';
import { peopleLists } from '../guessing/index.ts';
import { emailLists, findByAddressHash } from '../verification/index.ts';
import { customerAnswer, findCustomers, findOwners } from './customers.store.ts';
import { listAnswer } from './customers.ts';
import { findJobs } from './jobs.ts';

const traceId = /^[\da-f]{32}$/i;
const addressHash = /^[\da-f]{64}$/i;

const nothing = { customers: [], lists: [], jobs: [], errors: [], checks: [], searched_back_to: null };

/** Finds what an operator has in hand: the form of the text says what it is. */
export async function search(db: Db, typed: string): Promise<OperatorFindings> {
  const text = typed.trim();
  if (uuid.test(text)) return { ...nothing, by: 'id', ...(await findById(db, text.toLowerCase())) };
  if (traceId.test(text)) return { ...nothing, by: 'trace', ...(await findTrace(db, text.toLowerCase())) };
  if (addressHash.test(text)) return { ...nothing, by: 'address_hash', ...(await findChecks(db, text)) };
  const customers = (await findCustomers(db, text)).map(customerAnswer);
  return { ...nothing, by: text === '' ? 'newest' : 'name', customers };
}

const findById = async (db: Db, id: string) => ({
  customers: (await findCustomers(db, id)).map(customerAnswer),
  lists: await findList(db, id),
  jobs: await findJobs(db, { id }),
  errors: await listErrors(db, { jobId: id }),
});

const findTrace = async (db: Db, id: string) => ({
  jobs: await findJobs(db, { traceId: id }),
  errors: await listErrors(db, { traceId: id }),
});

async function findList(db: Db, id: string): Promise<OperatorList[]> {
  const [emails, people] = [
    await emailLists.answers.findById(db, id),
    await peopleLists.answers.findById(db, id),
  ];
  return [
    ...(emails ? [listAnswer(emailLists, emails.owner_id, emails)] : []),
    ...(people ? [listAnswer(peopleLists, people.owner_id, people)] : []),
  ];
}

async function findChecks(db: Db, hash: string) {
  const { found, since } = await findByAddressHash(db, hash, OPERATOR_ROWS_MAX);
  const owners = await findOwners(
    db,
    found.map(({ ownerId }) => ownerId),
  );
  return {
    checks: found.map(({ ownerId, list, date }) => ({
      owner: owners.get(ownerId) ?? null,
      list,
      date: date.toISOString(),
    })),
    searched_back_to: {
      singles: since.singles?.toISOString() ?? null,
      lists: since.lists?.toISOString() ?? null,
    },
  };
}

/** Errors of the last week, the newest first. */
export async function listErrors(db: Db, filter: ErrorFilter, before?: number): Promise<OperatorError[]> {
  const errors = await findErrors(db, filter, { before, limit: OPERATOR_ROWS_MAX });
  return errors.map(
    ({ recordedAt, traceId: trace_id, jobId: job_id, customerId: customer_id, ...error }) => ({
      ...error,
      date: recordedAt.toISOString(),
      trace_id,
      job_id,
      customer_id,
    }),
  );
}
