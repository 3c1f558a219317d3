import type { OperatorOwner } from '@assay/contract/operator';
import * as z from 'zod/mini';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { peopleLists } from '../guessing/index.ts';
import { countPieces, emailLists } from '../verification/index.ts';
import { findOwners } from './customers.store.ts';

interface QueuedJob {
  readonly queue: string;
  readonly data: unknown;
}

/** The fields of payloads that tell what a job is about. */
const payloadSchema = z.object({
  ownerId: z.optional(z.uuid()),
  listId: z.optional(z.uuid()),
  chunkNumber: z.optional(z.int()),
  rowNumbers: z.optional(z.array(z.int())),
});

interface JobWords {
  readonly words: string;
  readonly owner: OperatorOwner | null;
}

/** What queues do, by the beginning of their name; the first that fits. 'the list' is replaced by the list's name. */
const actions: readonly (readonly [prefix: string, words: string])[] = [
  ['validations.verify-deferred-single', 'Deferred single verification'],
  ['validations.verify-deferred', 'Verification of the list, deferred addresses'],
  ['validations.verify-sandbox-list', 'Verification of the list in the sandbox'],
  ['validations.verify-sandbox-single', 'Single verification in the sandbox'],
  ['validations.verify-short-list', 'Verification of the list'],
  ['validations.verify-long-list', 'Verification of the list'],
  ['validations.verify-single', 'Single verification'],
  ['validations.prepare-list', 'Copying of the rows of the list'],
  ['validations.resume-list', 'Resumption of the list'],
  ['validations.finish-list', 'End of the list'],
  ['validations.sweep', 'Removal of deleted lists and expired files'],
  ['guessing.prove-single', 'Single guess'],
  ['guessing.prove-deferred', 'Guesses of the list, deferred people'],
  ['guessing.prove-list', 'Guesses of the list'],
  ['guessing.resume-list', 'Resumption of the list'],
  ['guessing.finish-list', 'End of the list'],
  ['guessing.sweep', 'Removal of expired uploads of people'],
  ['webhooks.deliver', 'Events to the webhook'],
  ['webhooks.tend', 'Waking of webhooks, removal of their old events'],
  ['outcomes.match', 'Matching of outcomes with checks'],
  ['outcomes.resume-matching', 'Matching of outcomes whose job was lost'],
  ['outcomes.read-mailbox', 'Reading of a mailbox for bounces'],
  ['outcomes.read-mailboxes', 'Search for mailboxes that are due to be read'],
  ['feeds.sweep-signatures', 'Removal of old signatures of feeds'],
  ['suppressions.maintain', 'End of suppressions whose time is over'],
  ['support.send-case', 'Request for a call'],
  ['billing.top-up-balance', 'Automatic top-up'],
  ['billing.renew-free-plans', 'Monthly credits of Free plans'],
  ['billing.audit-ledger', 'Audit of the ledger'],
  ['billing.tend-payments', 'Customers at the payment provider'],
  ['billing.catch-up-payments', 'Renewals that the payment provider did not report'],
  ['account.delete-identity', 'Deletion at the identity provider'],
  ['account.remove-remains', 'Deletion of an account'],
  ['account.apply-retention', 'Deletion of what customers no longer keep'],
  ['activity.expire', 'Removal of old activity'],
  ['recovery.log-deletions', 'Log of deletions for a restore'],
  ['operator.pause-lists', 'Pauses of lists by standing'],
  ['operator.score-customers', 'Search for harvested lists'],
  ['operator.repair-lists', 'Restart of lists without a job'],
  ['notices.', 'Mail to the customer'],
  ['warmup.', 'Warm-up mailbox'],
];

/** Says what each job does and for whom, in the order of the jobs. */
export async function describeJobs(db: Db, jobs: readonly QueuedJob[]): Promise<JobWords[]> {
  const payloads = jobs.map(({ data }) => z.safeParse(payloadSchema, data).data ?? {});
  const owners = await findOwners(
    db,
    payloads.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const lists = payloads.flatMap(({ ownerId, listId }) => (ownerId && listId ? [{ ownerId, listId }] : []));
  const names = await findListNames(db, lists);
  const pieces = await countPieces(db, lists);
  return jobs.map(({ queue }, place) => {
    const { ownerId, listId = '', chunkNumber, rowNumbers } = payloads[place] ?? {};
    const words = [
      actionOf(queue).replace('the list', () => nameOf(names.get(listId))),
      chunkNumber === undefined ? undefined : `piece ${chunkNumber + 1} of ${pieces.get(listId) ?? '?'}`,
      rowNumbers && `${rowNumbers.length} of its rows`,
    ];
    return {
      words: words.filter((part) => part !== undefined).join(', '),
      owner: (ownerId && owners.get(ownerId)) || null,
    };
  });
}

const nameOf = (name: string | undefined): string =>
  name === undefined ? 'a deleted list' : `the list “${name}”`;

/** Queues that are not known here are named as they are. */
const actionOf = (queue: string): string =>
  actions.find(([prefix]) => queue.startsWith(prefix))?.[1] ?? queue;

async function findListNames(
  db: Db,
  lists: readonly { readonly ownerId: AccountId; readonly listId: string }[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [ownerId, ofOwner] of Map.groupBy(lists, (list) => list.ownerId)) {
    const ids = ofOwner.map(({ listId }) => listId);
    for (const ofKind of [emailLists, peopleLists])
      for (const [id, name] of await ofKind.answers.findNames(db, ownerId, ids)) names.set(id, name);
  }
  return names;
}
