-- The addresses of large lists once more, many in a row, for searches: reading these takes a tenth of the time that reading
-- all rows of a list takes. Only large lists have them, each in its own partition.
create table list_address_blocks (
  owner_id uuid not null,
  list_id uuid not null,
  block_number integer not null,
  -- The rows with an address to verify, and their addresses in lower case, one in a line.
  row_numbers integer[] not null,
  addresses text not null,
  primary key (owner_id, list_id, block_number)
) partition by range (list_id);
-- Uncompressed and next to its key.
alter table list_address_blocks alter column addresses set storage main;
