-- Whether the customer wants a mail when a list is complete.
alter table users add column wants_list_mails boolean not null default true;

-- When a complete list was handed over to the job that mails.
alter table validation_lists add column completion_noted_at timestamptz;
alter table guess_lists add column completion_noted_at timestamptz;
create index validation_lists_completed on validation_lists (completed_at) where completion_noted_at is null;
create index guess_lists_completed on guess_lists (completed_at) where completion_noted_at is null;
