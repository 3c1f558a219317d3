-- What the workers behind an egress address asked a provider within the last hour, how many recipients were unknown, and what each
-- worker may still ask. The verifier decides (share-window.ts); the row is the lock and the memory.
create table share_states (
  egress text not null collate "C",
  provider text not null collate "C",
  state jsonb not null,
  changed_at timestamptz not null default now(),
  primary key (egress, provider)
);
create index share_states_by_time on share_states (changed_at);
