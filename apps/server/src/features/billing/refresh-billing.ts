import type { Tx } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/index.ts';

/** Has the customer's open pages load the wallet again, once what changes it is committed. */
export const refreshBilling = (tx: Tx, ownerId: string): Promise<void> =>
  publishEvent(tx, ownerId, { event_type: 'refresh_billing', event_metadata: {} });
