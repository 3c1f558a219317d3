-- Every clear answer of a guess costs a credit, not only FOUND: 'not found' and 'catch all' are verdicts about addresses too.
-- Guesses and lists that were ordered before keep the price that they were ordered at.
alter table guesses add column charges_every_answer boolean not null default false;
alter table guess_lists add column charges_every_answer boolean not null default false;
