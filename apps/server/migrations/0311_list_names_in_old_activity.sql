-- Entries from before 0266 have the name of a list among their contents, where retention cannot remove it alone. This takes the names
-- out and makes the hashes anew from there on. A log that does not verify stays as it is, so that it is still found to be broken.
alter table activity_entries disable trigger guard_activity;
alter table activity_chains disable trigger guard_activity_chain;

create function pg_temp.names_a_list(contents jsonb) returns boolean language sql immutable as $$
  select contents ->> 'kind' in ('export.created', 'export.shared', 'deletion.list') and contents -> 'list' is null
    and contents ->> 'about' not in ('Activity', 'Credits history', 'Excluded rows', 'Single verifications', 'A list')
$$;

do $$
declare
  owner uuid;
  chain activity_chains;
  entry activity_entries;
  old_hash bytea;
  new_hash bytea;
begin
  for owner in
    select distinct owner_id from activity_entries where pg_temp.names_a_list(contents)
  loop
    -- The block is a savepoint: an exception leaves the whole log as it was.
    begin
      select * into strict chain from activity_chains where owner_id = owner for update;
      old_hash := '';
      new_hash := '';
      for entry in select * from activity_entries where owner_id = owner order by number loop
        if entry.contents is not null
            and entry.contents_hash is distinct from sha256(entry.salt || convert_to(entry.contents::text, 'UTF8'))
          or entry.hash <> sha256(old_hash || uuid_send(owner) || int8send(entry.number)
            || int8send((extract(epoch from entry.recorded_at) * 1000)::bigint) || entry.contents_hash)
        then
          raise data_exception using message = format('Entry %s is broken', entry.number);
        end if;
        old_hash := entry.hash;
        if pg_temp.names_a_list(entry.contents) then
          entry.contents := jsonb_set(entry.contents, '{about}', '"A list"');
          entry.contents_hash := sha256(entry.salt || convert_to(entry.contents::text, 'UTF8'));
        end if;
        new_hash := sha256(new_hash || uuid_send(owner) || int8send(entry.number)
          || int8send((extract(epoch from entry.recorded_at) * 1000)::bigint) || entry.contents_hash);
        update activity_entries set contents = entry.contents, contents_hash = entry.contents_hash, hash = new_hash
          where owner_id = owner and number = entry.number;
      end loop;
      if old_hash <> chain.last_hash then
        raise data_exception using message = 'The newest entry is missing';
      end if;
      update activity_chains set last_hash = new_hash where owner_id = owner;
    exception when data_exception or no_data_found then
      raise warning 'The activity log of customer % does not verify and keeps the names of lists: %', owner, sqlerrm;
    end;
  end loop;
end $$;

alter table activity_entries enable trigger guard_activity;
alter table activity_chains enable trigger guard_activity_chain;
drop function pg_temp.names_a_list;
