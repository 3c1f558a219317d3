-- A long file that came with the call is counted by the job that copies its rows. How its customer wants it to be read; null in an
-- upload that is counted.
alter table uploads add column reading_wish jsonb;
