-- The last calls of each API key, for its owner. Processes write them in batches. Neither references: they would cost a lock per call.
create table api_key_calls (
  owner_id uuid not null,
  api_key_id uuid not null,
  called_at timestamptz not null,
  number bigint generated always as identity,
  -- Method and path of the contract, with names for parameters.
  call text not null,
  http_status smallint not null,
  took_ms integer not null,
  primary key (owner_id, api_key_id, called_at, number)
);

-- Whatever deletes a key, such as the deletion of its account, deletes its calls.
create function forget_key_calls() returns trigger language plpgsql as $$
begin
  delete from api_key_calls using gone
  where api_key_calls.owner_id = gone.owner_id and api_key_calls.api_key_id = gone.id;
  return null;
end
$$;
create trigger forget_key_calls after delete on api_keys referencing old table as gone
  for each statement execute function forget_key_calls();
create trigger forget_key_calls after delete on scoped_api_keys referencing old table as gone
  for each statement execute function forget_key_calls();
