import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Reads } from '../../platform/database/reads.ts';
import type { IdentityAdmin } from '../../platform/identity-admin/index.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { writeZip, type ZipPart } from '../../platform/zip/write-zip.ts';
import { findRetention } from '../accounts/index.ts';
import { exportActivities } from '../activity/index.ts';
import { describeBilling, exportHistory, type FindListNames } from '../billing/index.ts';
import { findBills } from '../engine/index.ts';
import { describeFeeds } from '../feeds/index.ts';
import { guessesOf } from '../guessing/index.ts';
import { describeMailboxes, exportOutcomes } from '../outcomes/index.ts';
import { describeCases } from '../support/index.ts';
import { exportSuppressions } from '../suppressions/index.ts';
import { describeKeys, describeSignIns, exportKeyCalls, findUser } from '../users/index.ts';
import { verificationsOf } from '../verification/index.ts';
import { listCredentialsOf } from '../warmup/index.ts';
import { describeWebhooks } from '../webhooks/index.ts';

interface DataParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly graceDays: number;
  readonly findListNames: FindListNames;
  readonly reads: Reads;
  /** Null without access to the provider's accounts. */
  readonly identityAdmin: IdentityAdmin | null;
}

/** All archives of this process read large lists with one connection, page by page; customers take turns. */
const pageTurns = new FairQueue({ placeCount: 1 });

/** Everything that we keep for a customer, as a ZIP archive. Secrets are left out. */
export const writeCustomerData = (parts: DataParts, whose: Whose): AsyncGenerator<Buffer> =>
  writeZip(partsOf(parts, whose));

/** Of what checks asked mail providers; the largest, so that the archive stays small. */
const linesMax = 100_000;

/** An account and its owner. */
interface Whose {
  readonly ownerId: AccountId;
  readonly userId: UserId;
}

async function* partsOf(parts: DataParts, { ownerId, userId }: Whose): AsyncGenerator<ZipPart> {
  const { db, reads } = parts;
  const retention_days = await findRetention(db, ownerId);
  yield json('profile.json', { ...(await findUser(db, userId)), retention_days });
  yield json('sign-in.json', await describeSignIns(parts, userId));
  yield json('api-keys.json', await describeKeys(db, ownerId));
  yield { name: 'api-key-calls.csv', contents: exportKeyCalls(db, ownerId) };
  yield json('webhooks.json', await describeWebhooks(db, ownerId));
  yield json('feeds.json', await describeFeeds(db, ownerId));
  yield json('bounce-mailboxes.json', await describeMailboxes(db, ownerId));
  const mailboxes = await listCredentialsOf(db, ownerId);
  yield json(
    'mailboxes.json',
    mailboxes.map(({ provider, account_email, created_at }) => ({
      provider,
      account_email,
      creation_date: created_at,
    })),
  );
  yield { name: 'activity.csv', contents: exportActivities(db, ownerId) };
  yield json('billing.json', await describeBilling(parts, ownerId));
  yield { name: 'credits.csv', contents: exportHistory(parts, ownerId) };
  yield json('support.json', await describeCases(db, ownerId));
  yield { name: 'outcomes.csv', contents: exportOutcomes(db, ownerId) };
  yield { name: 'suppressions.csv', contents: exportSuppressions(db, ownerId) };
  yield json('questions.json', await findBills(db, { since: new Date(0), ownerId, limit: linesMax }));
  const reading = await reads.begin();
  yield* verificationsOf({ db, reading, pageTurns }, ownerId);
  yield* guessesOf({ db, reading }, ownerId);
}

const json = (name: string, value: unknown): ZipPart => ({
  name,
  contents: `${JSON.stringify(value, null, 2)}\n`,
});
