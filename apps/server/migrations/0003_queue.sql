-- Which worker is running which job. A worker holds an advisory lock under its number for as long as it is connected, so
-- whoever finds the lock free knows at once that the worker is gone. Unlogged: after a crash of the database nobody runs
-- anything, and the queue's own heartbeats are behind this in any case.
create unlogged table job_runs (
  job_id uuid primary key,
  job_name text not null,
  retry_count integer not null,
  worker_number integer not null
);
create index job_runs_by_worker on job_runs (worker_number);
