/** Each table is in one of two lists. This list has the tables that a restored shop needs. */
const backedUp = {
  graphile_worker: `
    _private_job_queues _private_jobs _private_known_crontabs _private_tasks`,
  identity: `
    account passkey signInCutoff twoFactor usedCode user`,
  public: `
    audit_log balance_transactions blocked_members bookings categories
    complaints conversation_members conversation_reports conversations credit_accounts
    dispute_evidence disputes email_confirmations email_opt_outs event_cursor
    fair_price_groups fair_price_model handover_codes idempotency_requests
    idempotency_steps images invitation_codes invitation_opt_out_key
    invitations invited_addresses job_outbox job_runners laptop_facts ledger_differences
    ledger_entries ledger_journals ledger_reconciliation listing_flags listing_snapshots
    meetings member_traces members message_inboxes messages money_moves newly_listed offer_floors offers
    payments payout_accounts payouts
    price_changes private_photos product_views products queued_emails rate_limits reply_times
    reports review_reports review_windows reviews saved_product_changes
    saved_product_settings saved_products saved_search_matches saved_searches
    search_documents search_vocabulary serial_numbers
    settlements shop_settings staff_invitations state_transitions webhook_events`,
};

/** Tables that hold migrations, one server's or database's state, sessions, or email links. */
const leftOut = {
  graphile_worker: "migrations",
  identity: "session verification",
  public: "backup_status migrations public_changes write_positions",
};

export const backedUpTables = namesIn(backedUp);
export const notBackedUp = namesIn(leftOut);

function namesIn(schemas: Record<string, string>): string[] {
  return Object.entries(schemas).flatMap(([schema, tables]) =>
    tables
      .trim()
      .split(/\s+/)
      .map((table) => `${schema}.${table}`),
  );
}
