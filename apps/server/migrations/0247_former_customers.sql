-- Customers at the payment provider that an account had before. Their payments can still be refunded and disputed.
create table former_customers (
  customer_reference text primary key,
  owner_id uuid not null references subscriptions (owner_id) on delete cascade
);
create index former_customers_by_owner on former_customers (owner_id);
