-- The triggers in functions/outcome-matches.sql take its place, right after the migrations. What is deleted in between leaves matches
-- that name no outcome, which nothing reads.
alter table outcome_matches drop constraint outcome_matches_owner_id_outcome_number_fkey;
