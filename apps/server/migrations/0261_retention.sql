-- How many days after their creation a customer's lists, single checks and guesses are deleted. Null: never.
alter table users add column retention_days smallint check (retention_days in (7, 30, 90));
create index users_with_retention on users (id) where retention_days is not null;
