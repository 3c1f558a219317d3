-- What the invoice asked for, while paid_cents is the money that moved: a balance at the provider may have paid a part, or a debt
-- there may have been paid along. Null for purchases of earlier versions, which are taken as paid in full.
alter table purchases add column total_cents bigint check (total_cents > 0);
