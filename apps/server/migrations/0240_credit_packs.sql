-- Credits that are bought once, in a pack. Their purchase is named by the payment, as that of a month is by its invoice.
alter table purchases add column kind text not null default 'plan' check (kind in ('plan', 'pack'));

-- Checkouts of packs that may have been paid without our learning of it: events get lost, and browsers do not come back.
create table pack_checkouts (
  checkout_reference text primary key,
  owner_id uuid not null references subscriptions (owner_id) on delete cascade,
  opened_at timestamptz not null,
  -- When to ask the payment provider about it.
  check_at timestamptz not null
);
create index pack_checkouts_by_owner on pack_checkouts (owner_id);
create index pack_checkouts_by_check on pack_checkouts (check_at);
