interface AttemptsTable {
  bucket: string;
  key_hash: string;
  tried: number;
  window_ends_at: Date;
}

declare module '../database/tables.ts' {
  interface Tables {
    attempts: AttemptsTable;
  }
}

export {};
