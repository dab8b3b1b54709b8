-- Renames tables, columns, indexes, triggers and functions to standard terms. No row changes.

-- Locks everything first, in the order of decision 0018, so that a server still running can't deadlock with it.
set local lock_timeout = '10s';
lock table bookings, members, products, payments, audit in access exclusive mode;

alter table audit rename to audit_log;
alter table limits rename to rate_limits;
alter table life_cycle rename to state_transitions;
alter table state_transitions rename column of to table_name;
alter table state_transitions rename column "from" to from_state;
alter table state_transitions rename column "to" to to_state;
alter table idempotent_requests rename to idempotency_requests;
alter table idempotency_requests rename column asked_at to created_at;
alter table idempotent_steps rename to idempotency_steps;
alter table idempotency_steps rename column answered to result;
alter table provider_events rename to webhook_events;
alter table queued_mail rename to queued_emails;
alter table blocked_addresses rename to blocked_emails;
alter table blocked_emails rename column address_hash to email_hash;

-- Constraints and the indexes behind them begin with their table's name.
do $$
declare
  renamed record;
begin
  for renamed in
    select conrelid::regclass as table_name, conname, overlay(conname placing after from 1 for length(before)) as new_name
    from (values
      ('audit', 'audit_log'), ('limits', 'rate_limits'), ('life_cycle', 'state_transitions'),
      ('idempotent_requests', 'idempotency_requests'), ('idempotent_steps', 'idempotency_steps'),
      ('provider_events', 'webhook_events'), ('queued_mail', 'queued_emails'),
      ('blocked_addresses', 'blocked_emails')
    ) as names (before, after)
    join pg_constraint on conrelid = after::regclass and starts_with(conname, before || '_')
  loop
    execute format('alter table %s rename constraint %I to %I', renamed.table_name, renamed.conname, renamed.new_name);
  end loop;
end $$;
alter sequence audit_id_seq rename to audit_log_id_seq;
alter sequence queued_mail_id_seq rename to queued_emails_id_seq;

alter index audit_of_object rename to audit_log_object_id_idx;
alter index audit_of_actor rename to audit_log_actor_id_idx;
alter index audit_of_kind rename to audit_log_object_idx;
alter index limits_by_expiry rename to rate_limits_expire_idx;
alter index idempotent_requests_by_age rename to idempotency_requests_created_at_idx;
alter index provider_events_by_age rename to webhook_events_received_at_idx;
alter index queued_mail_of_recipient rename to queued_emails_recipient_hash_idx;
alter index products_of_category rename to products_category_id_idx;
alter index products_advertised rename to products_advertised_idx;
alter index products_of_seller rename to products_seller_id_idx;
alter index products_of_image rename to products_img_idx;
alter index bookings_of_buyer rename to bookings_buyer_id_idx;
alter index bookings_of_product rename to bookings_product_id_idx;
alter index bookings_held rename to bookings_held_until_idx;
alter index bookings_held_by_network rename to bookings_network_idx;
alter index payments_of_booking rename to payments_booking_id_idx;
alter index payments_newest rename to payments_recorded_at_idx;
alter index payments_one_honoured_per_booking rename to payments_one_succeeded_per_booking;
alter index reports_open rename to reports_open_idx;
alter index images_by_age rename to images_created_at_idx;
alter index members_of_photo rename to members_photo_idx;
alter index members_by_email rename to members_email_idx;
alter index members_by_name rename to members_name_idx;
alter index email_confirmations_of_member rename to email_confirmations_member_id_idx;
alter index identity.sessions_by_expiry rename to "session_expiresAt_idx";

alter function refuse_change_of_audit() rename to forbid_audit_log_change;
create or replace function forbid_audit_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end $$;
alter trigger audit_rows_stay on audit_log rename to audit_log_forbid_update_delete;
alter trigger audit_stays on audit_log rename to audit_log_forbid_truncate;

alter function keep_life_cycle() rename to check_state_transition;
create or replace function check_state_transition() returns trigger language plpgsql as $$
declare
  old_state text := to_jsonb(old) ->> tg_argv[0];
  new_state text := to_jsonb(new) ->> tg_argv[0];
begin
  if not exists (
    select from state_transitions
    where table_name = tg_table_name and from_state = old_state and to_state = new_state
  ) then
    raise exception '% % cannot go from % to %.', tg_table_name, old.id, old_state, new_state
      using errcode = 'check_violation', constraint = 'state_transition';
  end if;
  return new;
end $$;
alter trigger products_keep_life_cycle on products rename to products_check_state_transition;
alter trigger bookings_keep_life_cycle on bookings rename to bookings_check_state_transition;
alter trigger payments_keep_life_cycle on payments rename to payments_check_state_transition;

alter function tell_public_change() rename to notify_public_change;
