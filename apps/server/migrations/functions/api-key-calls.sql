-- Whatever deletes a key, such as the deletion of its account, deletes its calls.
create or replace function forget_key_calls() returns trigger language plpgsql as $$
begin
  delete from api_key_calls using gone
  where api_key_calls.owner_id = gone.owner_id and api_key_calls.api_key_id = gone.id;
  return null;
end
$$;

create or replace trigger forget_key_calls after delete on api_keys referencing old table as gone
  for each statement execute function forget_key_calls();

create or replace trigger forget_key_calls after delete on scoped_api_keys referencing old table as gone
  for each statement execute function forget_key_calls();
