-- Reads all rows once, while others read and write them. Attaching the tables then has nothing to check.
alter table validation_lists validate constraint validation_lists_kind;
alter table guess_lists validate constraint guess_lists_kind;
