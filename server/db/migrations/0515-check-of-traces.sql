-- In a transaction of its own: the one that adds a constraint holds a stronger lock.
alter table member_traces validate constraint member_traces_kind_check;
