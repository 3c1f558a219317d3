-- How a file of people was written, and the columns that the customer chose in place of the detected ones.
alter table guess_uploads add column origin jsonb;
alter table guess_uploads add column columns jsonb;
