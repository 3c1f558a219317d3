-- How a new egress address grows into the limits of providers: half of them a week before the end, a quarter two weeks before, and so on.
create table egress_plans (
  egress text primary key collate "C",
  started_at timestamptz not null default now(),
  -- Weeks from the start to the whole limit; 0 for an address that has a history.
  weeks smallint not null default 3 check (weeks between 0 and 12)
);
-- Addresses that were in use before there was a plan.
insert into egress_plans (egress, weeks) select egress, 0 from egress_health;
