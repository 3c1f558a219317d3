-- Whether a list is paused because its account was held or suspended. It goes on when the account is open again; a list that
-- its customer paused does not.
alter table validation_lists add column is_paused_by_standing boolean not null default false;
alter table guess_lists add column is_paused_by_standing boolean not null default false;

update validation_lists as list set is_paused_by_standing = true from users
  where users.id = list.owner_id and users.standing in ('held', 'suspended')
    and list.status = 'PAUSED' and list.paused_at = users.standing_since;
update guess_lists as list set is_paused_by_standing = true from users
  where users.id = list.owner_id and users.standing in ('held', 'suspended')
    and list.status = 'PAUSED' and list.paused_at = users.standing_since;
