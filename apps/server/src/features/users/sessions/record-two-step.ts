import type { ActivityKind } from '@assay/contract';
import type { CallSource } from '../../../platform/auth/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { ownAccountOf } from '../../../platform/ids.ts';
import { recordActivity } from '../../activity/index.ts';
import { findUserIdOf, type IdentityKey } from '../users.store.ts';

/** What a person changed about their second step, on the pages of the embedded provider. */
interface TwoStepChange {
  readonly what: TwoStepChangeName;
  /** Of a passkey. */
  readonly name?: string | undefined;
  readonly caller: CallSource;
  readonly now: Date;
}

type TwoStepChangeName = Exclude<
  Extract<ActivityKind, `two_step.${string}`> extends `two_step.${infer Name}` ? Name : never,
  'removed'
>;

/** Somebody who has signed in at the provider but never here has no log yet. */
export async function recordTwoStepChange(
  db: Db,
  key: IdentityKey,
  { what, name, caller, now }: TwoStepChange,
): Promise<void> {
  const userId = await findUserIdOf(db, key);
  if (userId !== undefined)
    await recordActivity(
      db,
      { accountId: ownAccountOf(userId), source: caller },
      { kind: `two_step.${what}`, about: name, now },
    );
}
