interface RequestAllowancesTable {
  policy: string;
  key_hash: string;
  window_start: Date;
  leased: number;
}

declare module '../database/tables.ts' {
  interface Tables {
    request_allowances: RequestAllowancesTable;
  }
}

export {};
