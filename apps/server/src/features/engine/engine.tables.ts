import type { AddressFlag } from '@assay/contract';
import type { Basis, Reason } from '@assay/verifier';
import type { ColumnType } from 'kysely';

interface DomainFactsTable {
  domain: ColumnType<string, string, never>;
  is_catch_all: boolean;
  proved_at: Date;
}

interface DomainControlsTable {
  domain: ColumnType<string, string, never>;
  asked_at: Date;
  refused_words: string | null;
}

interface HostAcceptancesTable {
  host: ColumnType<string, string, never>;
  accepted_at: Date;
}

interface HostSilencesTable {
  host: ColumnType<string, string, never>;
  silent_at: Date;
}

/** The details that explain a verdict. Each field of them may be missing in a result that is older than it. */
export interface StoredDetail {
  /** Flags are absent in details that are older than them. */
  readonly flags: Readonly<Partial<Record<AddressFlag, boolean>>> | null;
  /** Absent in details that are older than it. */
  readonly mx_provider?: string | null;
  readonly suggestion: string | null;
  readonly evidence: readonly StoredStage[];
  /** With the evidence, enough for `judgeAgain`. */
  readonly basis?: Basis;
}

export interface StoredStage {
  readonly stage: string;
  readonly host: string | null;
  readonly address: string | null;
  /** The whole reply, up to a thousand characters, with its lines. */
  readonly reply: string | null;
  readonly took_ms: number;
  /** What happened instead of a reply; in older results it is in `reply`. Like the others below only where it says something. */
  readonly note?: string;
  readonly limit?: string;
  readonly rule?: string;
  readonly reason?: Reason;
  readonly ourNames?: readonly string[];
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    domain_facts: DomainFactsTable;
    domain_controls: DomainControlsTable;
    host_acceptances: HostAcceptancesTable;
    host_silences: HostSilencesTable;
    mail_host_uses: PlainTable;
    egress_bindings: PlainTable;
    egress_health: PlainTable;
  }
}
