-- How many rows of the file of a guess list are not guessed, and why: they repeat a person, or they have no usable name or
-- domain. Not counted in lists from before.
alter table guess_lists add column duplicated_people integer, add column unusable_people integer;
