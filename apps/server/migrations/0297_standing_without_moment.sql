-- Lists themselves say now whether a standing paused them. Takes the index users_restricted with it.
alter table users drop column standing_since;
create index users_restricted on users (id) where standing <> 'open';
