create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed; write a new entry that corrects the old one'
    using errcode = 'restrict_violation';
end;
$$;

create or replace trigger ledger_entries_are_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();

create or replace trigger ledger_entries_are_not_truncated before truncate on ledger_entries
  for each statement execute function refuse_ledger_change();

-- How many credits of a balance can be bought ones at most. Credits have no order of spending, so this is the most that
-- any order leaves: a purchase adds to it, a refund takes from it, and it is never above the balance.
create or replace function next_bought(bought bigint, category text, amount bigint, balance_after bigint) returns bigint
  language sql immutable parallel safe
  return least(
    greatest(bought + case when category in ('PURCHASE', 'PACK', 'REFUND') then amount else 0 end, 0),
    balance_after
  );

-- The same for a whole history, in the order of its entries: the audit compares with it.
create or replace aggregate bought_after(category text, amount bigint, balance_after bigint) (
  sfunc = next_bought, stype = bigint, initcond = '0'
);

-- Entries that are written with one statement change the bought credits of their wallet once, and not once each.
create or replace function count_bought_credits_together() returns trigger language plpgsql as $$
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

create or replace trigger ledger_entries_count_bought_credits after insert on ledger_entries
  referencing new table as added for each statement execute function count_bought_credits_together();
