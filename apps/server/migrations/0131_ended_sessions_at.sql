-- A sign-in after the sign-out counts, even where the provider keeps the session and its id.
alter table ended_sessions add column ended_at timestamptz not null default now();
