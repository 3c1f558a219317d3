-- What an unfinished single check waits for, and until when; null while it does not wait.
alter table single_validations add column wait jsonb;
