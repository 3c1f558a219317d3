-- Which rows wait, since when hosts have put them off and how often, so that a resumed list goes on with their patience.
alter table list_waits add column row_numbers integer[] not null default '{}';
alter table list_waits add column since timestamptz;
alter table list_waits add column attempts integer not null default 0;
