-- Whether a list has addresses outside .test. Those wait while port 25 is closed, and answers about the list say so.
-- Lists from before count as having none.
alter table validation_lists add column has_real_domain boolean not null default false;
alter table guess_lists add column has_real_domain boolean not null default false;
