-- When a mail host was last given up because it stayed silent, by the egress address and the name of the host: workers wait only
-- briefly for it. Unlogged, because forgetting it costs one more wait.
create unlogged table host_silences (
  host text primary key collate "C",
  silent_at timestamptz not null
);
create index host_silences_by_time on host_silences (silent_at);
