import type { MailDomain } from './job.ts';

/**
 * Watches for hosts that change their answers after some recipients and then accept, or refuse, everyone. Answers of both
 * kinds show that a host still tells mailboxes apart. After too many of one kind in a row it is asked again about a name
 * whose answer we know, and the answers of the streak wait for that.
 */
const streakFirstMax = { accepted: 3, refused: 2 } as const;
const streakLastMax = { accepted: 64, refused: 16 } as const;
const changedForMs = 3_600_000;

export type StreakKind = 'accepted' | 'refused';

export interface AnswerStreak {
  kind: StreakKind;
  count: number;
  /** How many answers of one kind in a row are believed; doubles with each control that bears them out. */
  readonly max: { accepted: number; refused: number };
}

export const newStreak = (): AnswerStreak => ({ kind: 'accepted', count: 0, max: { ...streakFirstMax } });

export function countAnswer({ streak }: MailDomain, kind: StreakKind): void {
  if (streak.kind === kind) streak.count += 1;
  else {
    streak.kind = kind;
    streak.count = 1;
  }
}

export function isStreakLong({ streak }: MailDomain, kind: StreakKind): boolean {
  return streak.kind === kind && streak.count >= streak.max[kind];
}

/** A control has borne out the answers of this kind. */
export function endStreak(domain: MailDomain, kind: StreakKind): void {
  const { streak } = domain;
  if (isStreakLong(domain, kind)) streak.max[kind] = Math.min(streak.max[kind] * 2, streakLastMax[kind]);
  if (streak.kind === kind) streak.count = 0;
}

export function hasChangedLately({ changedAt }: MailDomain, now: number): boolean {
  return changedAt !== undefined && now - changedAt < changedForMs;
}
