-- A customer. Everything else that is theirs carries this id.
create table users (
  id uuid primary key,
  first_name text not null,
  last_name text not null,
  email_address text not null,
  phone text,
  guessing_enabled boolean not null default false,
  -- Null until an operator says otherwise: then it follows from how the person signs in.
  can_change_password boolean,
  created_at timestamptz not null
);

-- The ways in which a customer signs in, each with what the identity provider last said about the address.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  -- Such as {email} or {google}.
  providers text[] not null,
  email_address text not null,
  -- The address in the form in which equal addresses are equal.
  address_key text not null,
  email_verified boolean not null,
  -- When the token was issued that the above was read from.
  profile_as_of timestamptz not null,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index user_identities_by_user on user_identities (user_id);
create index user_identities_by_address on user_identities (address_key);
