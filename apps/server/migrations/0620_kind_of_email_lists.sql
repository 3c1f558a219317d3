-- Lists of both kinds become one table, `lists`, with the two tables so far as its partitions: no row moves, each kind keeps its own
-- indexes, and processes of earlier versions go on with the partition of their kind. This and the next three files do that while lists
-- run: none of them holds a lock for long. First, both tables get the same columns.
alter table validation_lists
  add column kind text not null default 'emails',
  add constraint validation_lists_kind check (kind = 'emails') not valid,
  add column total_people integer not null default 0,
  add column found integer not null default 0,
  add column catch_all integer not null default 0,
  add column not_found integer not null default 0,
  add column unknown integer not null default 0,
  add column duplicated_people integer,
  add column unusable_people integer,
  add column charges_every_answer boolean not null default false;
