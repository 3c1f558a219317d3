import type { Tx } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/index.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Makes the customer's open pages reload the wallet after the commit. */
export const refreshBilling = (tx: Tx, ownerId: AccountId): Promise<void> =>
  publishEvent(tx, ownerId, { event_type: 'refresh_billing', event_metadata: {} });
