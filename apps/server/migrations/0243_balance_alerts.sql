-- Balances below which a customer wants to be alerted.
create table balance_alerts (
  owner_id uuid not null references subscriptions (owner_id) on delete cascade,
  threshold bigint not null check (threshold > 0),
  -- Since when the balance is known to be below; null above. Changing it from null is the one alert of a crossing.
  low_since timestamptz,
  primary key (owner_id, threshold)
);
