import type { RealtimeEvent } from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import { type PaidWork, paidWork } from '../billing/index.ts';
import type { ListPlace } from './list-place.ts';
import type { ListStatus } from './list-status.ts';

/** The columns that lists of every kind have. */
export interface ListHead {
  readonly id: string;
  readonly name: string;
  readonly status: ListStatus;
  readonly created_at: Date;
  readonly is_sandbox?: boolean;
}

type EventType = RealtimeEvent['event_type'];
type EventMetrics = Pick<RealtimeEvent['event_metadata'], 'email_metrics' | 'guess_metrics'>;

/** How lists of one kind differ from the others: their table, their outcomes and what these cost, and their events. */
export interface ListKind<Row extends ListHead, Outcome extends string = string> {
  readonly table: string;
  /** What answers and events need, and no long text. */
  readonly columns: readonly (keyof Row & string)[];
  /** The column with the number of rows that get an outcome. */
  readonly total: keyof Row & string;
  /** The columns that count the outcomes. */
  readonly counters: Readonly<Record<Outcome, keyof Row & string>>;
  /** A row with one of these outcomes costs a credit. */
  readonly chargedOutcomes: readonly Outcome[];
  readonly work: 'list' | 'guess-list';
  readonly events: { readonly progress: EventType; readonly complete: EventType };
  readonly metricsOf: (list: Row) => EventMetrics;
  /** `later` keeps the row of a deleted list until the sweep has removed its contents, which are too many for one statement. */
  readonly removal: 'at once' | 'later';
  /** Runs before a stopped list settles. `rowsLeft` have no outcome yet. */
  readonly onStop?: (tx: Tx, place: ListPlace, list: Row, rowsLeft: number) => Promise<void>;
}

interface ListCounts {
  readonly total: number;
  readonly completed: number;
  /** What the outcomes so far cost. */
  readonly dueCredits: number;
}

export function countsOf<Row extends ListHead>(kind: ListKind<Row>, list: Row): ListCounts {
  const numbers = list as unknown as Readonly<Record<string, number>>;
  const sum = (outcomes: readonly string[]) =>
    outcomes.reduce((total, outcome) => total + (numbers[kind.counters[outcome] as string] as number), 0);
  return {
    total: numbers[kind.total] as number,
    completed: sum(Object.keys(kind.counters)),
    dueCredits: sum(kind.chargedOutcomes),
  };
}

export const workOf = (
  { work }: Pick<ListKind<never>, 'work'>,
  { ownerId, listId }: ListPlace,
  { is_sandbox: isSandbox = false }: Partial<ListHead>,
): PaidWork => paidWork({ kind: work, ownerId, id: listId, isSandbox });
