import { createSharedWishes, liftStop } from '../engine/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';

/** As long as after a reply that asks for it. */
const stopMs = 30 * 86_400_000;

/** Leaves a domain alone because its owner wrote to us. */
export async function stopForOwner(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  domain: string,
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    const until = now.getTime() + stopMs;
    await createSharedWishes(tx).saveStop(domain, { until, host: 'its owner', words: by.reason });
    await recordAction(tx, by, { kind: 'owner.stopped', about: domain, now });
  });
}

/** Asks a domain again whose host had asked us to stop. False if it had not. */
export async function liftOwnerStop(
  { db, clock }: OperatorParts,
  by: ActorAndReason,
  domain: string,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    if (!(await liftStop(tx, domain))) return false;
    await recordAction(tx, by, { kind: 'owner.lifted', about: domain, now: clock.now() });
    return true;
  });
}
