import type { EvidenceStage, Outcome } from '@assay/verifier';
import type { StoredDetail } from '../engine/engine.tables.ts';

/** A verdict as it is stored. */
export interface Finding {
  readonly verdict: Outcome<unknown>['result'];
  readonly reason: string;
  /** A `StoredDetail` in JSON. */
  readonly detail: string;
}

/** Converts an outcome of the engine. An outcome to try again is UNKNOWN so far. */
export const findingOf = (outcome: Outcome<unknown>): Finding => ({
  verdict: outcome.result,
  reason: outcome.reason,
  detail: `{"flags":${flagsOf(outcome)},"suggestion":${JSON.stringify(outcome.didYouMean ?? null)},"evidence":[${outcome.evidence.map(stageOf).join()}]}`,
});

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

const writeFlags = writtenOnce<Outcome<unknown>['flags'], NonNullable<StoredDetail['flags']>>((flags) => ({
  disposable: flags.isDisposable,
  role: flags.isRole,
  free_provider: flags.isFreeProvider,
  plus_tag: flags.hasPlusTag,
}));
const flagsOf = ({ flags }: Outcome<unknown>): string => writeFlags(flags);

const stageOf = writtenOnce<EvidenceStage, StoredDetail['evidence'][number]>((stage) => ({
  stage: stage.stage,
  host: stage.host === undefined ? null : storable(stage.host),
  address: stage.ip ?? null,
  reply:
    storable([stage.reply ?? stage.note, stage.limit].filter((text) => text !== undefined).join(' · ')) ||
    null,
  took_ms: Math.round(stage.ms ?? 0),
}));

/** Strangers choose the words of evidence. PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** VALID, INVALID and CATCH_ALL cost a credit; UNKNOWN proves nothing and costs nothing. */
export const isCharged = (verdict: Finding['verdict']): boolean => verdict !== 'UNKNOWN';
