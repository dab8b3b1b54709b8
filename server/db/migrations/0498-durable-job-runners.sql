-- Records of job runners survive a crash and a failover: without one, the jobs of a runner that gave up would look like
-- those of one that has just started (server/jobs/lost-jobs.ts).
-- May block: nothing. The table has a row for each runner, and who waits for it goes on after milliseconds.
alter table job_runners set logged;
