-- Where a case is sent besides being listed: a row for each place that was configured when the case was opened.
create table support_deliveries (
  owner_id uuid not null,
  case_id uuid not null,
  channel text not null check (channel in ('mail', 'webhook')),
  -- How often sending was tried, and how the last try failed.
  tries integer not null default 0,
  problem text,
  -- When the place took it; nothing is sent there again from then on.
  accepted_at timestamptz,
  primary key (owner_id, case_id, channel),
  foreign key (owner_id, case_id) references support_cases (owner_id, id) on delete cascade
);
