-- A change of plan that is arranged at the payment provider and still to come, so that the customer is shown the truth.
alter table subscriptions
  add column pending_kind text check (pending_kind in ('plan_change', 'cancellation')),
  add column pending_plan_code text,
  add column pending_at timestamptz,
  add constraint subscriptions_pending_change_is_whole
    check (num_nonnulls(pending_kind, pending_plan_code, pending_at) in (0, 3)),
  -- The provider must be asked about this customer even if it sends no event.
  add column needs_sync boolean not null default false;

-- Changes that were arranged before these columns existed.
update subscriptions set needs_sync = true where customer_reference is not null and plan_code <> 'FREE';
create index subscriptions_to_sync on subscriptions (owner_id) where needs_sync;
