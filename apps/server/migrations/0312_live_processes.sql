-- The API and worker processes that run, for operators, metrics and the status page. Each renews its row every few seconds.
create table live_processes (
  id uuid primary key,
  kind text not null check (kind in ('api', 'worker')),
  version text not null,
  commit text not null,
  host text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
