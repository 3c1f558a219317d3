-- Packs that are bought by themselves when the balance is low. Off unless the customer turns it on.
create table automatic_top_ups (
  owner_id uuid primary key references subscriptions (owner_id) on delete cascade,
  is_on boolean not null,
  below bigint not null check (below > 0),
  pack_code text not null,
  monthly_cap_cents bigint not null check (monthly_cap_cents > 0),
  -- Why it turned itself off.
  stopped_because text check (stopped_because in ('declined', 'requires_action', 'no_card', 'disputed', 'unreachable')),
  check (not is_on or stopped_because is null)
);
create index automatic_top_ups_on on automatic_top_ups (owner_id) where is_on;

-- The automatic purchases. The order's id makes repeated attempts to charge it one payment.
create table top_up_orders (
  order_id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references subscriptions (owner_id) on delete cascade,
  pack_code text not null,
  price_cents bigint not null,
  card_reference text not null,
  status text not null default 'open' check (status in ('open', 'paid', 'failed')),
  opened_at timestamptz not null
);
create unique index top_up_orders_one_at_a_time on top_up_orders (owner_id) where status = 'open';
create index top_up_orders_by_owner on top_up_orders (owner_id, opened_at);
