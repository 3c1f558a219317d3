-- How many outcomes of each kind a customer has, so that no way of adding or deleting them is missed: to count millions for each page would
-- take longer than to find its rows.

create or replace function count_added_outcomes() returns trigger language plpgsql as $$
begin
  insert into outcome_counts as counts (owner_id, kind, count)
  select owner_id, kind, count(*) from added group by owner_id, kind order by owner_id, kind
  on conflict (owner_id, kind) do update set count = counts.count + excluded.count;
  return null;
end $$;

create or replace trigger count_added_outcomes after insert on outcomes referencing new table as added
  for each statement execute function count_added_outcomes();

-- Deletes of one customer exclude each other by the row of `outcome_counters`. Deleting the account may have deleted the counts before.
create or replace function count_removed_outcomes() returns trigger language plpgsql as $$
begin
  update outcome_counts set count = outcome_counts.count - removed.count
  from (select owner_id, kind, count(*) as count from gone group by owner_id, kind) removed
  where outcome_counts.owner_id = removed.owner_id and outcome_counts.kind = removed.kind;
  return null;
end $$;

create or replace trigger count_removed_outcomes after delete on outcomes referencing old table as gone
  for each statement execute function count_removed_outcomes();
