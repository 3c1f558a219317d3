const units = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;
type Unit = keyof typeof units;

/** How many days, weeks, months and years keep their newest backup. */
export type KeepRule = Readonly<Partial<Record<Unit, number>>>;

const countMax = 1_000;

/** Reads `7d,4w,6m`. Null for anything else. */
export function readKeepRule(text: string): KeepRule | null {
  const rule: Partial<Record<Unit, number>> = {};
  for (const part of text.split(',')) {
    const [, count, unit] = /^(\d{1,4})([dwmy])$/.exec(part.trim()) ?? [];
    if (!count || !unit || unit in rule || Number(count) < 1 || Number(count) > countMax) return null;
    rule[unit as Unit] = Number(count);
  }
  return rule;
}

const dayMs = 86_400_000;

/** Periods in UTC; weeks begin on Monday. */
const periodOf: Record<Unit, (moment: Date) => string> = {
  d: (moment) => moment.toISOString().slice(0, 10),
  // The first of January 1970 was a Thursday.
  w: (moment) => String(Math.floor((moment.getTime() / dayMs + 3) / 7)),
  m: (moment) => moment.toISOString().slice(0, 7),
  y: (moment) => moment.toISOString().slice(0, 4),
};

/**
 * The backups that the rule lets go. The newest one of a period counts, and only periods with a backup do: after a pause of a
 * year nothing is removed for its age alone. The newest of all always stays.
 */
export function findExpired<Backup extends { readonly takenAt: Date }>(
  backups: readonly Backup[],
  rule: KeepRule,
): Backup[] {
  const newestFirst = backups.toSorted((left, right) => right.takenAt.getTime() - left.takenAt.getTime());
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [unit, count] of Object.entries(rule) as [Unit, number][]) {
    const newestOf = new Map<string, Backup>();
    for (const backup of newestFirst) {
      const period = periodOf[unit](backup.takenAt);
      if (!newestOf.has(period) && newestOf.size < count) newestOf.set(period, backup);
    }
    for (const backup of newestOf.values()) kept.add(backup);
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
