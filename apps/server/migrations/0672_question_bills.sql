-- What the checks of an account asked mail providers, which is what they cost the reputation of our addresses. Written with the
-- results. `work_id` is a list, or nil for single checks and guesses.
create table question_bills (
  owner_id uuid not null references accounts (id) on delete cascade,
  day date not null,
  work_id uuid not null,
  provider text not null collate "C",
  questions bigint not null,
  proofs bigint not null,
  controls bigint not null,
  unknown bigint not null,
  blocked bigint not null,
  primary key (owner_id, day, work_id, provider)
);
create index question_bills_by_day on question_bills (day);
