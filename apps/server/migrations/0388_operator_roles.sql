-- What an operator may do: see the contract's OPERATOR_ROLES. Those that there are could do everything, and may still.
alter table operators add column role text not null default 'admin' check (role in ('support', 'admin'));
alter table operators alter column role drop default;

-- A restore must not give rights back that were taken since, so that goes to the log in the file store too.
drop trigger note_action on operator_actions;
create trigger note_action after insert on operator_actions for each row
  when (new.kind in ('operator.removed', 'customer.standing', 'coupon.disabled')
    or new.kind = 'operator.role' and new.about = 'support')
  execute function note_operator_action();
