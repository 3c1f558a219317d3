-- How much of a per-minute limit the processes have leased together, so that it holds across them. One row for each address
-- or customer that calls often. Unlogged: losing it costs nothing but one minute's counts.
create unlogged table request_allowances (
  policy text not null,
  -- A keyed hash: network addresses are personal data.
  key_hash text not null,
  window_start timestamptz not null,
  leased bigint not null,
  primary key (policy, key_hash)
);
create index request_allowances_by_age on request_allowances (window_start);
