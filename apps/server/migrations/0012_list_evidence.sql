-- How results of lists were found. It is written with every result and read for a few of them, and nearly all of it
-- repeats from one address of a domain to the next, so it is kept for a batch of results at a time, compressed: a tenth
-- of the bytes to write, and results that an export reads quickly. Results found before keep their verdict and reason.
create table list_evidence (
  owner_id uuid not null,
  list_id uuid not null,
  batch_id bigint not null,
  -- Deflated JSON: what was found out for each row number.
  details bytea not null,
  primary key (owner_id, list_id, batch_id)
);
alter table list_evidence alter column details set storage external;

alter table list_results drop column detail;
alter table list_results add column batch_id bigint;
