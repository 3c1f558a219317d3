-- Customers whose account is gone are still to be removed at the payment provider.
create or replace function remember_departed_customer() returns trigger language plpgsql as $$
begin
  insert into departed_customers (customer_reference, departed_at)
    values (old.customer_reference, now()) on conflict do nothing;
  return null;
end;
$$;

create or replace trigger subscriptions_leave_their_customer after delete on subscriptions
  for each row when (old.customer_reference is not null) execute function remember_departed_customer();
