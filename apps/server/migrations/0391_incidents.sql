-- When a part of the product did not work, for the status page: measured by the API, or opened by an operator.
create table incidents (
  id uuid primary key,
  part text not null check (part in ('api', 'verification', 'lists')),
  -- The worst that it was.
  state text not null check (state in ('degraded', 'unavailable')),
  began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at),
  -- Whether the product opened it, and ends it by itself.
  is_measured boolean not null,
  -- What operators wrote about it, as {date, words}, the oldest first.
  notes jsonb not null default '[]'
);
create index incidents_by_age on incidents (began_at);
create unique index incidents_one_measured on incidents (part) where ended_at is null and is_measured;
