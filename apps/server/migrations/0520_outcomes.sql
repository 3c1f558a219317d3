-- What happened to mail after it was sent, as senders, files and mailboxes report it. See docs/bounces.md.

-- Numbers the outcomes of a customer in the order of commits, and says up to which number they are matched with checks.
create table outcome_counters (
  owner_id uuid not null references accounts (id) on delete cascade,
  last_number bigint not null default 0,
  matched_number bigint not null default 0,
  -- Until when the job that matches them keeps its turn.
  matching_until timestamptz,
  primary key (owner_id)
);

create table outcomes (
  owner_id uuid not null references accounts (id) on delete cascade,
  number bigint not null,
  email_address text not null,
  -- 53 bits of a hash of the address, in the spelling in which the engine compares addresses.
  address_key bigint not null,
  kind text not null check (kind in
    ('hard', 'soft', 'block', 'complaint', 'unsubscribed', 'auto_reply', 'delivered', 'not_sent', 'unclear')),
  subject text not null,
  action text not null,
  reason text not null,
  rule text not null,
  words text not null,
  -- To the second, and by how many seconds the true moment may differ: some reports have only a day.
  happened_at timestamptz not null,
  slack_seconds integer not null,
  source text not null,
  -- The feed, mailbox or file; null for calls.
  source_id uuid,
  event_id text,
  -- 53 bits of a hash of the sender's event id with the address and what happened.
  event_key bigint,
  -- The list whose results it is matched with; null for all checks.
  list_id uuid,
  recorded_at timestamptz not null,
  primary key (owner_id, number)
);
create index outcomes_of_address on outcomes (owner_id, address_key, happened_at);
create index outcomes_of_event on outcomes (owner_id, event_key) where event_key is not null;

-- The checks that outcomes are about. Results themselves never change.
create table outcome_matches (
  owner_id uuid not null,
  -- Of a list, or of a single check, whose row number is 0.
  check_id uuid not null,
  row_number integer not null,
  outcome_number bigint not null,
  primary key (owner_id, check_id, row_number, outcome_number),
  foreign key (owner_id, outcome_number) references outcomes (owner_id, number) on delete cascade
);
create index outcome_matches_of_outcome on outcome_matches (owner_id, outcome_number);
