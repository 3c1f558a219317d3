-- What customers asked of us: to be called, or to be helped.
create table support_cases (
  owner_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  subject text not null,
  description text not null,
  created_at timestamptz not null,
  primary key (owner_id, id)
);
create index support_cases_by_age on support_cases (created_at);
