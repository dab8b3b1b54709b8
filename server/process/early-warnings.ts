type Log = { warn(fields: object, message: string): void };

/** Stores warnings from parts that start before the app and its log. `logTo` logs them. */
export function collectWarnings() {
  let log: Log | undefined;
  const early: Parameters<Log["warn"]>[] = [];
  return {
    warn(fields: object, message: string): void {
      if (log) log.warn(fields, message);
      else early.push([fields, message]);
    },
    logTo(opened: Log): void {
      log = opened;
      for (const warning of early.splice(0)) log.warn(...warning);
    },
  };
}
