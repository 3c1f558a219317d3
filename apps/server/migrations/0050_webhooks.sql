-- Where a customer's events go: one address per customer, which the primary key holds to.
create table webhooks (
  owner_id uuid primary key references users (id) on delete cascade,
  id uuid not null unique,
  url text not null,
  -- Encrypted. The previous one signs beside it until its time is over, so that a receiver can change over at leisure.
  sealed_secret text not null,
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  -- Of the newest event. Taking a number locks this row until the event is committed, so that numbers are in the order in
  -- which events came to be.
  last_number bigint not null default 0,
  -- The lane: one job at a time sends this customer's events. A job that holds it finds later events by itself.
  lane_job uuid,
  lane_held_until timestamptz,
  -- When a job that is on its way will look; null while none is.
  due_at timestamptz
);

-- The events and what became of them. Finished ones are kept for a while as the customer's log.
create table webhook_deliveries (
  owner_id uuid not null references webhooks (owner_id) on delete cascade,
  number bigint not null,
  id uuid not null,
  -- Sent as webhook-id: the same when an event is sent again, so that receivers can tell.
  event_id text not null,
  event_type text not null,
  -- The very bytes that are signed.
  body text not null,
  -- False for a test and for what was sent again by hand: tried once, beside the lane.
  is_in_order boolean not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  primary key (owner_id, number)
);
create unique index webhook_deliveries_by_id on webhook_deliveries (owner_id, id);
create index webhook_deliveries_waiting on webhook_deliveries (owner_id, number) where status = 'PENDING';
create index webhook_deliveries_finished_by_age on webhook_deliveries (created_at) where status <> 'PENDING';
