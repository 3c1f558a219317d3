-- Cards that a bank has declined for an automatic top-up, by the provider's own mark for the card's number. A card rests for an hour,
-- in whichever account it is saved, so that nobody tries out cards here.
create table declined_cards (
  card_mark text primary key,
  declined_at timestamptz not null
);

alter table top_up_orders add column card_mark text;
