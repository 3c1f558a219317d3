-- Running lists, for those that got stuck. Few rows match, on a large installation too.
create index validation_lists_running on validation_lists (created_at) where status in ('PENDING', 'FINISHING');
create index guess_lists_running on guess_lists (created_at) where status in ('PENDING', 'FINISHING');
create index validation_lists_by_age on validation_lists (created_at);

-- Customers by the beginning of an address or name, and the newest.
create index users_by_age on users (created_at);
create index users_by_name on users (lower(first_name || ' ' || last_name) text_pattern_ops);
create index users_by_last_name on users (lower(last_name) text_pattern_ops);
create index user_identities_by_address_start on user_identities (address_key text_pattern_ops);

-- How much the lists of a customer look harvested.
create table abuse_scores (
  user_id uuid primary key references users (id) on delete cascade,
  score smallint not null check (score between 0 and 100),
  reasons text[] not null,
  scored_at timestamptz not null
);
create index abuse_scores_highest on abuse_scores (score desc, user_id);
