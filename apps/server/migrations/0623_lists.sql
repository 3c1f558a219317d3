-- Every list is in `lists`. What a column says of a list that is not of its kind is 0, false or null.
create table lists (like validation_lists including defaults) partition by list (kind);
alter table lists alter column kind drop default;
alter table lists attach partition validation_lists for values in ('emails');
alter table lists attach partition guess_lists for values in ('people');
alter table validation_lists drop constraint validation_lists_kind;
alter table guess_lists drop constraint guess_lists_kind;
