-- Disputed credits that were on hold when the dispute opened: they are frozen when their hold gives them back. The defaults
-- are for processes of an earlier version while they are replaced.
alter table payment_disputes
  add column opened_at timestamptz not null default now(),
  add column claimed bigint not null default 0 check (claimed >= 0);

-- Their sum. On the wallet, because a settlement that waited for the wallet's lock must see it.
alter table wallets add column claimed bigint not null default 0 check (claimed >= 0);
