-- Files of people are kept like files of emails. Only earlier versions write to `guess_uploads`, whose rows expire within a day.
alter table uploads add column kind text not null default 'emails';
