-- A job whose worker was gone may be what ended it. Its row stays, with worker number 0, until the job ends.
alter table job_runs
  -- How many workers were gone while they ran the job.
  add column losses integer not null default 0,
  add column lost_at timestamptz,
  -- Whether the job has the place of its process for such jobs: if that worker is gone too, the job is to blame.
  add column is_alone boolean not null default false;
