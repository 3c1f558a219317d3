import type { FeedRefusal, FeedSender } from '@assay/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

type Later<Value> = ColumnType<Value | null, never, Value | null>;

interface OutcomeFeedsTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  sender: Immutable<FeedSender>;
  sealed_secret: string | null;
  sealed_previous_secret: Later<string>;
  previous_secret_until: Later<Date>;
  topic_arn: string | null;
  confirmed_at: Later<Date>;
  taken_events: Generated<number>;
  last_event_at: Later<Date>;
  created_at: Immutable<Date>;
}

interface OutcomeFeedRefusalsTable {
  owner_id: Immutable<AccountId>;
  feed_id: Immutable<string>;
  reason: Immutable<FeedRefusal>;
  refused_count: number;
  last_at: Date;
}

interface OutcomeFeedSignaturesTable {
  owner_id: Immutable<AccountId>;
  feed_id: Immutable<string>;
  token_hash: Immutable<string>;
  body_hash: Immutable<string>;
  kept_until: Immutable<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    outcome_feeds: OutcomeFeedsTable;
    outcome_feed_refusals: OutcomeFeedRefusalsTable;
    outcome_feed_signatures: OutcomeFeedSignaturesTable;
  }
}
