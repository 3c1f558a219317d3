-- For outcomes of single checks. Checks can be read but not written until it is built.
create index single_validations_by_address on single_validations (owner_id, lower(email_address));
