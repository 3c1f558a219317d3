-- A job whose worker was gone is a suspect until it ends: only processes of their own run suspects.
alter table job_runs
  drop column is_alone,
  -- The worker that started the process of a suspect.
  add column parent_number integer,
  -- How many suspects may run together; no limit until their process dies, then half of those that it ran.
  add column together_max integer,
  -- When no such process could start: since when ordinary workers may run this one.
  add column released_at timestamptz;

create index job_runs_suspects on job_runs (job_id) where losses > 0;
