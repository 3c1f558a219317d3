-- A job that ended its process alone is to blame. Until one of its kind and customer ends well, the next ones are suspects from the start:
-- each run of a scheduled job has a new id.
alter table job_runs
  add column owner_id text not null default '',
  add column is_blamed boolean not null default false;

create index job_runs_blamed on job_runs (job_name, owner_id) where is_blamed;
