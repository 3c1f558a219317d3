import { ADDRESS_FLAGS, type AddressFlag, byFlag, FLAG_TABLE, type VerdictDetail } from '@assay/contract';
import { type AddressFlags, type EvidenceStage, type Finding, onOneLine } from '@assay/verifier';
import type { StoredDetail, StoredStage } from '../engine/engine.tables.ts';

/** A verdict as it is stored. */
export interface StoredFinding {
  readonly verdict: Finding<unknown>['result'];
  readonly reason: string;
  /** One bit for each of `ADDRESS_FLAGS`. */
  readonly flags: number;
  /** These two hold nothing that a CSV file would have to quote or a spreadsheet could run. */
  readonly mxProvider: string | null;
  readonly suggestion: string | null;
  /** A `StoredDetail` in JSON. */
  readonly detail: string;
}

/** Converts a finding of the engine. A finding to try again is UNKNOWN so far. */
export function storedFindingOf(finding: Finding<unknown>): StoredFinding {
  const { result: verdict, reason, flags, didYouMean: suggestion = null, evidence, basis } = finding;
  const mxProvider =
    finding.mxProvider !== undefined && plainName.test(finding.mxProvider) ? finding.mxProvider : null;
  return {
    verdict,
    reason,
    flags: flagBits(ADDRESS_FLAGS.filter((flag) => flags[flag])),
    mxProvider,
    suggestion: suggestion !== null && plainAddress.test(suggestion) ? suggestion : null,
    detail: `{"flags":${writeFlags(flags)},"mx_provider":${JSON.stringify(mxProvider)},"suggestion":${JSON.stringify(suggestion)},"evidence":[${evidence.map(stageOf).join()}]${basis ? `,"basis":${JSON.stringify(basis)}` : ''}}`,
  };
}

// Strangers choose the names of mail hosts, and customers the names of mailboxes.
const plainName = /^[A-Za-z0-9][A-Za-z0-9 .()-]{0,253}$/;
const plainAddress = /^[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9.-]{1,253}$/;

/** The flags of a stored result; null for results that are older than the column. */
export const flagsAnswer = (bits: number | null): AddressFlags | null =>
  bits === null ? null : byFlag((flag) => hasFlag(bits, flag));

/** The same from the details of a result. */
export const detailFlagsAnswer = (detail: StoredDetail | null | undefined): AddressFlags | null => {
  const flags = detail?.flags;
  return flags ? byFlag((flag) => flags[flag] ?? false) : null;
};

export const flagBits = (flags: readonly AddressFlag[]): number =>
  flags.reduce((bits, flag) => bits | FLAG_TABLE[flag].bit, 0);
export const hasFlag = (bits: number | null, flag: AddressFlag): boolean =>
  ((bits ?? 0) & FLAG_TABLE[flag].bit) > 0;

/** Serializes each object once: the engine shares one object between all addresses that it applies to. */
function writtenOnce<Described extends object, Words>(describe: (described: Described) => Words) {
  const written = new WeakMap<Described, string>();
  return (described: Described): string => {
    let words = written.get(described);
    if (words === undefined) {
      words = JSON.stringify(describe(described));
      written.set(described, words);
    }
    return words;
  };
}

const writeFlags = writtenOnce<AddressFlags, StoredDetail['flags']>((flags) => flags);

const stageOf = writtenOnce<EvidenceStage, StoredStage>((stage) => ({
  stage: stage.stage,
  host: stage.host === undefined ? null : storable(stage.host),
  address: stage.ip ?? null,
  reply: stage.reply === undefined ? null : storable(stage.reply),
  took_ms: Math.round(stage.ms ?? 0),
  ...(stage.reply === undefined && stage.note !== undefined && { note: storable(stage.note) }),
  ...(stage.limit !== undefined && { limit: storable(stage.limit) }),
  ...(stage.rule !== undefined && { rule: stage.rule }),
  ...(stage.reason !== undefined && { reason: stage.reason }),
  ...(stage.ourNames !== undefined && { ourNames: stage.ourNames }),
}));

/** The evidence of a stored result, as people read it. */
export const evidenceAnswer = (detail: StoredDetail | null | undefined): VerdictDetail['evidence'] =>
  (detail?.evidence ?? []).map(({ stage, host, address, reply, note, took_ms, limit }) => ({
    stage,
    host,
    address,
    reply: [reply === null ? note : onOneLine(reply), limit].filter(Boolean).join(' · ') || null,
    took_ms,
  }));

/** Strangers choose the words of evidence. PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** VALID, INVALID and CATCH_ALL cost a credit; UNKNOWN proves nothing and costs nothing. */
export const isCharged = (verdict: StoredFinding['verdict']): boolean => verdict !== 'UNKNOWN';
