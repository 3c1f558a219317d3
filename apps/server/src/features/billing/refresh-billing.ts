import type { RealtimeEvent } from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/index.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Makes the customer's open pages reload the wallet. */
export const billingChanged: RealtimeEvent = { event_type: 'refresh_billing', event_metadata: {} };

/** Publishes it with the commit. */
export const refreshBilling = (tx: Tx, ownerId: AccountId): Promise<void> =>
  publishEvent(tx, ownerId, billingChanged);
