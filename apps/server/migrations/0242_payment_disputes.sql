-- Payments that a customer's bank disputes. Their unspent credits are frozen until the dispute is decided. Like the
-- ledger it outlives the account.
create table payment_disputes (
  owner_id uuid not null references wallets (owner_id),
  dispute_id text not null,
  invoice_id text not null,
  -- What the ledger took, once.
  frozen bigint not null check (frozen >= 0),
  status text not null check (status in ('open', 'won', 'lost')),
  primary key (owner_id, dispute_id)
);
