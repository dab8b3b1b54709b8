import { Gauge, type Registry } from "prom-client";
import type { ShopState } from "./shop-state.ts";

/** Reports the whole shop's holds, retried refunds, ledger differences and backup age. */
export class DealMetrics {
  readonly #holds: Gauge;
  readonly #overdueHolds: Gauge;
  readonly #retriedRefunds: Gauge;
  readonly #ledgerDifferences: Gauge;
  readonly #compared: Gauge;
  readonly #backupAge: Gauge;

  constructor(registry: Registry) {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
    this.#holds = gauge("secondlap_holds", "Unpaid holds of the shop");
    this.#overdueHolds = gauge(
      "secondlap_holds_overdue",
      "Unpaid holds of the shop whose time was over five minutes ago",
    );
    this.#retriedRefunds = gauge(
      "secondlap_refunds_retried",
      "Refunds of the shop, also of parts, that a bank has sent back and that are tried again",
    );
    this.#ledgerDifferences = gauge(
      "secondlap_ledger_differences",
      "Differences between the ledger and the card provider",
    );
    this.#compared = gauge(
      "secondlap_ledger_compared_seconds",
      "Since the ledger was last compared with the card provider; if never, since the first payment or the installation, the later; 0 without payments",
    );
    this.#backupAge = gauge(
      "secondlap_backup_age_seconds",
      "Since the shop was last backed up; if never, since it was installed",
    );
  }

  set(state: ShopState): void {
    this.#holds.set(state.holds);
    this.#overdueHolds.set(state.overdueHolds);
    this.#retriedRefunds.set(state.retriedRefunds);
    this.#ledgerDifferences.set(state.ledgerDifferences);
    this.#compared.set(state.uncomparedSeconds ?? 0);
    this.#backupAge.set(state.withoutBackupSeconds);
  }
}
