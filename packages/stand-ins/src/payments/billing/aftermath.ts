import type { CardAftermath } from '../store/tables.ts';
import type { Charge } from '../wire.ts';
import type { World } from '../world.ts';

// The real service lets it happen "some time later".
const delaySeconds = 60;

/** Lets happen, a while from now, what the card that was charged has in store, if it is of this kind. */
export function expectAftermath(
  world: World,
  { kind, charge, target }: { kind: CardAftermath; charge: Charge; target: string },
): void {
  const card = world.store.find('card', charge.payment_method ?? '');
  if (card?.afterwards !== kind) return;
  world.store.put('aftermath', { id: target, kind, dueAt: world.clock.seconds() + delaySeconds });
}
