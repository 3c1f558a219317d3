-- Some of the errors of each call and queue, without personal data, so that an operator can read them without the log of every machine.
-- Processes write a few per minute; a week of them stays. No reference: an id outlives its account by that week at most.
create table operation_errors (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null,
  source text not null collate "C",
  type text not null,
  message text not null,
  stack text not null,
  trace_id text collate "C",
  job_id uuid,
  customer_id uuid
);
create index operation_errors_by_source on operation_errors (source, id);
create index operation_errors_by_trace on operation_errors (trace_id) where trace_id is not null;
create index operation_errors_by_job on operation_errors (job_id) where job_id is not null;
create index operation_errors_by_age on operation_errors (recorded_at);

-- Lists by their id alone, for operators, who do not know the owner.
create index validation_lists_by_id on validation_lists (id);
create index guess_lists_by_id on guess_lists (id);

-- The newest single checks, of all customers.
create index single_validations_by_age on single_validations (created_at);
