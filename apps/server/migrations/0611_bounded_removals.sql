-- The removed entries of a customer are bounded: beyond a number, the oldest removals are forgotten, and cursors from before them are refused.
alter table suppression_clocks
  -- Of the last removal that was forgotten because there were too many.
  add column forgotten_number bigint not null default 0;
create index suppressions_removals on suppressions (owner_id, number) where removed_at is not null;
