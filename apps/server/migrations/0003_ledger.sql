-- Credits. No table of money refers to users: what happened stays true after an account is gone, and holds nothing
-- about the person but the owner's id.

-- One row per customer. balance is the sum of all ledger entries, held the part that running work has reserved; what a
-- customer can spend is the difference, and the database itself refuses to let it fall below zero.
create table wallets (
  owner_id uuid primary key,
  balance bigint not null default 0 check (balance >= 0),
  held bigint not null default 0 check (held >= 0),
  -- Numbers the owner's entries without gaps, so that the audit sees one that is missing.
  entry_count bigint not null default 0 check (entry_count >= 0),
  opened_at timestamptz not null,
  constraint wallets_hold_only_what_they_have check (balance - held >= 0)
);

create table ledger_entries (
  owner_id uuid not null references wallets (owner_id),
  entry_number bigint not null check (entry_number > 0),
  -- What the entry is for, said once per owner: writing the same thing again is refused.
  key text not null,
  category text not null,
  source text not null,
  description text not null,
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  invoice_reference text,
  created_at timestamptz not null,
  primary key (owner_id, entry_number),
  unique (owner_id, key)
);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed; write a new entry that corrects the old one'
    using errcode = 'restrict_violation';
end;
$$;
create trigger ledger_entries_are_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();
create trigger ledger_entries_are_not_truncated before truncate on ledger_entries
  for each statement execute function refuse_ledger_change();

-- Credits reserved for a piece of work, named by its reference, such as list:<id>.
create table holds (
  owner_id uuid not null references wallets (owner_id),
  reference text not null,
  amount bigint not null check (amount > 0),
  status text not null default 'held' check (status in ('held', 'captured', 'released')),
  captured bigint check (captured between 0 and amount),
  placed_at timestamptz not null,
  settled_at timestamptz,
  primary key (owner_id, reference),
  check ((status = 'captured') = (captured is not null)),
  check ((status = 'held') = (settled_at is null))
);

create table subscriptions (
  owner_id uuid primary key references users (id) on delete cascade,
  plan_code text not null,
  -- Renewals keep the day and time of this moment, in UTC; months that lack the day renew on their last one.
  anchored_at timestamptz not null,
  next_renewal_at timestamptz not null,
  -- A person's free credits go to one account, however many they open.
  has_free_allowance boolean not null default false,
  check (next_renewal_at > anchored_at)
);
create index subscriptions_by_renewal on subscriptions (plan_code, next_renewal_at);

-- Which account a mailbox's free credits went to. Keyed by a keyed hash of the address, so that it can outlive the
-- account without remembering the person; owner_id becomes null with the account.
create table free_credit_claims (
  mailbox_hash text primary key,
  owner_id uuid references users (id) on delete set null,
  claimed_at timestamptz not null
);
create index free_credit_claims_by_owner on free_credit_claims (owner_id);
