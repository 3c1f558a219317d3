-- Whom a customer does not want to ask or mail: addresses, and domains for all of their addresses. A removed entry stays for a while,
-- for those who poll for changes, and so that an outcome that comes again does not undo the removal.
create table suppressions (
  owner_id uuid not null references accounts (id) on delete cascade,
  -- An address as the engine compares it, or a domain.
  target text collate "C" not null,
  id uuid not null,
  -- Of the last change.
  number bigint not null,
  reason text not null check (reason in ('hard_bounce', 'complaint', 'unsubscribed', 'dead_domain', 'added')),
  source text not null check (source in ('outcome', 'customer', 'api', 'import')),
  created_at timestamptz not null,
  ends_at timestamptz,
  removed_at timestamptz,
  primary key (owner_id, target)
);
create unique index suppressions_changes on suppressions (owner_id, number);
create index suppressions_ending on suppressions (ends_at) where removed_at is null and ends_at is not null;
create index suppressions_removed on suppressions (removed_at) where removed_at is not null;

-- Counts the changes of a customer. Each transaction that changes suppressions locks the row first, so numbers are visible in their order.
create table suppression_clocks (
  owner_id uuid primary key references accounts (id) on delete cascade,
  last_number bigint not null default 0,
  -- Entries that are not removed.
  entries int not null default 0,
  -- Another one after a restore: numbers that were given out before it may come again.
  generation bigint not null default 1
);

create function note_removed_suppression() returns trigger language plpgsql as $$
begin
  insert into deletions_to_log (kind, owner_id, id) values ('suppression', new.owner_id, new.id);
  return null;
end $$;
-- Those that end by themselves end again after a restore.
create trigger note_deletions after update of removed_at on suppressions for each row
  when (old.removed_at is null and new.removed_at is not null and (new.ends_at is null or new.ends_at > new.removed_at))
  execute function note_removed_suppression();

alter table scoped_api_keys
  drop constraint scoped_api_keys_scopes_check,
  add constraint scoped_api_keys_scopes_check check (scopes <@ array[
    'verify', 'read_results', 'manage_lists', 'guess', 'explain_bounces', 'manage_webhooks', 'report_outcomes', 'suppressions']),
  -- Test keys know nothing of live work.
  add constraint scoped_api_keys_live_suppressions check (mode = 'live' or not 'suppressions' = any (scopes));
