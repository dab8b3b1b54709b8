-- May block: for a moment. Networks and domains of email addresses are traces as well; contacts are counted by network.
alter table member_traces drop constraint member_traces_kind_check;
alter table member_traces add constraint member_traces_kind_check
  check (kind in ('card', 'browser', 'mailbox', 'network', 'domain')) not valid;
