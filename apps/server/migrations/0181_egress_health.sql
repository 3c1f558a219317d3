-- The last health check of each egress address.
create table egress_health (
  egress text primary key collate "C",
  is_port_closed boolean not null,
  is_listed boolean not null,
  findings jsonb not null,
  checked_at timestamptz not null,
  -- A worker that sees many failures sets this to the present; one worker of the address takes the check.
  next_check_at timestamptz not null
);
