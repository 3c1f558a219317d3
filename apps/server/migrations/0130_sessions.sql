-- Tokens that were issued at or before this second are refused: the customer changed the password or signed out everywhere.
alter table users add column sessions_valid_from timestamptz;
-- The session in which they did it lives on with newer tokens; any other session has to begin after that second.
alter table users add column kept_session text;

-- Sessions that were signed out of one by one, until no token of theirs can be left.
create table ended_sessions (
  issuer text not null,
  session_key text not null,
  kept_until timestamptz not null,
  primary key (issuer, session_key)
);
create index ended_sessions_by_end on ended_sessions (kept_until);
