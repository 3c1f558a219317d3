interface PermitHoldersTable {
  id: string;
  share: string;
  exchange: number;
  seen_at: Date;
  returned_at: Date | null;
}

interface HostPermitsTable {
  holder_id: string;
  number: number;
  share: string;
  host: string;
  provider: string;
  provider_limit: number | null;
  is_granted: boolean;
  turn: number;
}

interface HostRestsTable {
  egress: string;
  host: string;
  until: Date;
  told_by: string;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    permit_holders: PermitHoldersTable;
    host_permits: HostPermitsTable;
    host_rests: HostRestsTable;
  }
}

export {};
