-- The open invoice behind `past_due_since`: what the customer owes, and for which plan.
alter table subscriptions
  add column owed_invoice_id text,
  add column owed_cents bigint check (owed_cents > 0),
  add column owed_plan_code text,
  add column owed_since timestamptz,
  add check (num_nulls(owed_invoice_id, owed_cents, owed_plan_code, owed_since) in (0, 4));

-- The money of a purchase that went back by refunds.
alter table purchases add column refunded_cents bigint not null default 0 check (refunded_cents >= 0);

-- Customers with an unpaid or reversed payment are read from the payment provider once more, which fills these columns.
update subscriptions set needs_sync = true
where customer_reference is not null and (
  past_due_since is not null
  or exists (select from ledger_entries where ledger_entries.owner_id = subscriptions.owner_id and category = 'REFUND')
);
