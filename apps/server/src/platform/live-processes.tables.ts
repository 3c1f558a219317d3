interface LiveProcessesTable {
  id: string;
  kind: string;
  version: string;
  commit: string;
  host: string;
  started_at: Date;
  seen_at: Date;
}

declare module './database/tables.ts' {
  interface Tables {
    live_processes: LiveProcessesTable;
  }
}

export {};
