-- When each job runner was last alive: the jobs of one that died run again (server/jobs/job-runner.ts).
create unlogged table job_runners (
  id text primary key,
  seen_at timestamptz not null
);
