import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

type Later<Value> = ColumnType<Value | null, never, Value | null>;

interface WebhooksTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  url: string;
  event_types: string[] | null;
  sealed_secret: string;
  sealed_previous_secret: Later<string>;
  previous_secret_until: Later<Date>;
  created_at: Immutable<Date>;
  last_delivered_at: Later<Date>;
  last_number: Generated<number>;
  lane_job: Later<string>;
  lane_held_until: Later<Date>;
  due_at: Later<Date>;
}

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

interface WebhookDeliveriesTable {
  owner_id: Immutable<AccountId>;
  webhook_id: Immutable<string>;
  number: Immutable<number>;
  id: Immutable<string>;
  event_id: Immutable<string>;
  event_type: Immutable<string>;
  body: Immutable<string>;
  is_in_order: Immutable<boolean>;
  status: DeliveryStatus;
  attempts: Generated<number>;
  response_status: Later<number>;
  error: Later<string>;
  created_at: Immutable<Date>;
  /** Of the single or list that the event tells of; null for other events. */
  work_created_at: Immutable<Date | null>;
  last_attempt_at: Later<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_deliveries: WebhookDeliveriesTable;
  }
}
