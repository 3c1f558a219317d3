-- Paid plans. Who a customer is at the payment provider, and what was last seen there.
alter table subscriptions
  add column customer_reference text unique,
  -- The subscription that counts: the one that the plan follows. Null until a job has made one.
  add column subscription_reference text unique,
  -- Makes repeated attempts to set a customer up there one attempt. A new one is drawn when what was set up is gone.
  add column setup_key uuid not null default gen_random_uuid(),
  -- When the payment failed that is still owed.
  add column past_due_since timestamptz,
  -- Drawn from payment_tickets before the provider is asked. What was asked for earlier never replaces what is newer.
  add column synced_ticket bigint not null default 0,
  -- When free credits were last given or looked at: whoever leaves and comes back to Free gets them once a month.
  add column free_credits_at timestamptz;
update subscriptions set free_credits_at = anchored_at;
alter table subscriptions alter column free_credits_at set not null;

create index subscriptions_not_set_up on subscriptions (owner_id) where subscription_reference is null;
create index subscriptions_past_due on subscriptions (past_due_since) where past_due_since is not null;

create sequence payment_tickets;

-- Events of the provider that were applied, so that each is applied once. Kept for longer than they can be repeated.
create table payment_events (
  event_id text primary key,
  type text not null,
  applied_at timestamptz not null
);
create index payment_events_by_age on payment_events (applied_at);

-- Invoices that were paid and the credits given for them. Like the ledger it outlives the account.
create table purchases (
  owner_id uuid not null references wallets (owner_id),
  invoice_id text not null,
  plan_code text not null,
  credits bigint not null check (credits > 0),
  paid_cents bigint not null check (paid_cents > 0),
  paid_at timestamptz not null,
  primary key (owner_id, invoice_id)
);

-- Customers whose account is gone and who are still to be removed at the provider.
create table departed_customers (
  customer_reference text primary key,
  departed_at timestamptz not null
);
create function remember_departed_customer() returns trigger language plpgsql as $$
begin
  insert into departed_customers (customer_reference, departed_at)
    values (old.customer_reference, now()) on conflict do nothing;
  return null;
end;
$$;
create trigger subscriptions_leave_their_customer after delete on subscriptions
  for each row when (old.customer_reference is not null) execute function remember_departed_customer();
