-- Refunds claim credits on hold as disputes do, so they are recorded beside them: decided ('lost'), or undone ('won') if the
-- money did not go back. The default is for processes of an earlier version while they are replaced.
alter table payment_disputes
  add column kind text not null default 'dispute' check (kind in ('dispute', 'refund'));
