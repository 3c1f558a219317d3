-- Work for the sandbox is free: it has no hold, no ledger entry and no place in the metrics, and says so wherever it is shown.
alter table uploads add column is_sandbox boolean not null default false;
alter table validation_lists add column is_sandbox boolean not null default false;
alter table single_validations add column is_sandbox boolean not null default false;
