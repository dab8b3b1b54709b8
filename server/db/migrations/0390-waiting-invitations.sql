-- Outside a transaction: what waits for an admin, newest first (`waitsForAdmin` in server/features/invitation-lifecycle).
create index concurrently if not exists invitations_waiting_idx on invitations (invited_at desc, id desc)
  where (state = 'review'
    or (waits_since is not null and reward_approved is null and state in ('joined', 'started')));
