-- The API key that started a check, so that a key which may only verify can read the results of its own checks.
alter table single_validations add column api_key_id uuid;
