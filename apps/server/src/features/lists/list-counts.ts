import type { ListHead, ListKind } from './list-kind.ts';

interface ListCounts {
  readonly total: number;
  readonly completed: number;
  /** What the outcomes so far cost. */
  readonly dueCredits: number;
}

export function countsOf<Row extends ListHead, Outcome extends string>(
  { counters, total, chargedOutcomesOf }: ListKind<Row, Outcome>,
  list: Row,
): ListCounts {
  const numberIn = (column: string) => (list as unknown as Readonly<Record<string, number>>)[column] ?? 0;
  const sum = (outcomes: readonly Outcome[]) =>
    outcomes.reduce((count, outcome) => count + numberIn(counters[outcome]), 0);
  return {
    total: numberIn(total),
    completed: sum(Object.keys(counters) as Outcome[]),
    dueCredits: sum(chargedOutcomesOf(list)),
  };
}
