-- The number that the customer asked to be called at.
alter table support_cases add column phone text check (length(phone) <= 40);
