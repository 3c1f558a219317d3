-- Entries that are written with one statement change the bought credits of their wallet once, and not once each.
create function count_bought_credits_together() returns trigger language plpgsql as $$
declare
  wallet record;
  entry record;
  still_bought bigint;
begin
  for wallet in
    select owner_id, bought from wallets where owner_id in (select owner_id from added) order by owner_id
  loop
    still_bought := wallet.bought;
    for entry in
      select category, amount, balance_after from added where owner_id = wallet.owner_id order by entry_number
    loop
      still_bought := next_bought(still_bought, entry.category, entry.amount, entry.balance_after);
    end loop;
    if still_bought <> wallet.bought then
      update wallets set bought = still_bought where owner_id = wallet.owner_id;
    end if;
  end loop;
  return null;
end;
$$;
drop trigger ledger_entries_count_bought_credits on ledger_entries;
drop function count_bought_credits();
create trigger ledger_entries_count_bought_credits after insert on ledger_entries
  referencing new table as added for each statement execute function count_bought_credits_together();
