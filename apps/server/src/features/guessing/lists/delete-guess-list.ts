import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { publishEvent } from '../../../platform/events/index.ts';
import { captureHold } from '../../billing/index.ts';
import { type GuessListPlace, lockGuessList, removeGuessList } from './guess-lists.store.ts';

/** Deletes a list. One that still runs stops: addresses already proved are paid for, the rest goes back. */
export function deleteGuessList(
  { db, clock }: { db: Db; clock: Clock },
  place: GuessListPlace,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const list = await lockGuessList(tx, place);
    if (!list) throw new AppError('list_not_found', { listId: place.listId });
    await removeGuessList(tx, place);
    if (list.status === 'COMPLETE') return;

    await publishEvent(tx, place.ownerId, { event_type: 'refresh_billing', event_metadata: {} });
    await captureHold(tx, {
      ownerId: place.ownerId,
      reference: `guess-list:${place.listId}`,
      dueCredits: list.found,
      category: 'GUESSING',
      source: 'LIST',
      description: 'Guessed list, stopped',
      now: clock.now(),
    });
  });
}
