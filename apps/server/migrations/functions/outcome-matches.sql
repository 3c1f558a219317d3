-- Matches of outcomes and accounts that are deleted go with them. A foreign key would look each match up when it is written, and lock its
-- outcome, which took about half of the time of a million matches. Who writes matches holds the row of `outcome_counters`, and so does
-- everyone who deletes single outcomes, so these triggers keep the same promise.

-- Each match is looked up whatever PostgreSQL thinks of the tables: its statistics may be of a time when they were small.
create or replace function remove_matches_of_outcomes() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  delete from outcome_matches match using gone
  where match.owner_id = gone.owner_id and match.outcome_number = gone.number;
  return null;
end $$;

create or replace trigger remove_matches_of_outcomes after delete on outcomes referencing old table as gone
  for each statement execute function remove_matches_of_outcomes();

-- Deleting an account waits here for a job that writes matches, and removes what that job has written.
create or replace function remove_matches_of_account() returns trigger language plpgsql as $$
begin
  delete from outcome_matches where owner_id = old.owner_id;
  return null;
end $$;

create or replace trigger remove_matches_of_account after delete on outcome_counters
  for each row execute function remove_matches_of_account();
