-- Feeds: where a sender posts what became of mails.
create table outcome_feeds (
  owner_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  sender text not null,
  -- Encrypted: the sender's key, or a secret of ours. Null until the customer gives the key.
  sealed_secret text,
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  -- Of Amazon SES: the one topic whose messages count, and when its subscription was confirmed.
  topic_arn text,
  confirmed_at timestamptz,
  taken_events bigint not null default 0,
  last_event_at timestamptz,
  created_at timestamptz not null,
  primary key (owner_id, id)
);
-- A sender names the feed and nobody else.
create unique index outcome_feeds_by_id on outcome_feeds (id);
create trigger note_deletions after delete on outcome_feeds referencing old table as gone
  for each statement execute function note_deletions('outcome_feed');

-- What a feed refused: one row for each reason, so that nobody can fill the table.
create table outcome_feed_refusals (
  owner_id uuid not null,
  feed_id uuid not null,
  reason text not null,
  refused_count bigint not null,
  last_at timestamptz not null,
  primary key (owner_id, feed_id, reason),
  foreign key (owner_id, feed_id) references outcome_feeds (owner_id, id) on delete cascade
);

-- Signatures that do not cover the events, as long as they could be used again: each may bring one body.
create table outcome_feed_signatures (
  owner_id uuid not null,
  feed_id uuid not null,
  token_hash text not null,
  body_hash text not null,
  kept_until timestamptz not null,
  primary key (owner_id, feed_id, token_hash),
  foreign key (owner_id, feed_id) references outcome_feeds (owner_id, id) on delete cascade
);
create index outcome_feed_signatures_by_end on outcome_feed_signatures (kept_until);
