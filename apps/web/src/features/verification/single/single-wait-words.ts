import type { SingleWait } from '@assay/contract';

const minuteMs = 60_000;

/** 'Waiting for the mail host of example.com to answer. Next attempt in 4 min.' */
export function singleWaitWords({ text, until }: SingleWait, now: Date): string {
  if (until === null) return `${text} The check goes on by itself.`;
  const minutes = Math.round((new Date(until).getTime() - now.getTime()) / minuteMs);
  return `${text} Next attempt in ${minutes < 1 ? 'less than a minute' : `${minutes} min`}.`;
}
