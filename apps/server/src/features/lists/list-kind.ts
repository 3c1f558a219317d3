import type { RealtimeEvent } from '@assay/contract';
import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { JobDefinition, JobQueue } from '../../platform/queue/index.ts';
import type { ListPlace } from './list-place.ts';
import type { ListKindName } from './lists.tables.ts';

/** The columns that lists of every kind have, without long texts. */
export const headColumns = [
  'id',
  'kind',
  'name',
  'status',
  'is_sandbox',
  'created_at',
  'completed_at',
  'file_name',
  // Counts how often the list was resumed. Jobs of an earlier run end at once.
  'run_number',
  // A list that its customer paused stays paused when the standing of the account changes.
  'is_paused_by_standing',
  // Also set while a list is prepared, which is then paused when its rows are there.
  'paused_at',
  'source_list_id',
  // Whether some of its addresses are outside `.test`.
  'has_real_domain',
  // Null unless a job has yet to copy rows, or failed to.
  'rows_to_copy',
  'rows_copied',
  'problem',
  // Null in lists of earlier versions.
  'problem_text',
] as const;

type ListColumn = keyof Tables['lists'];

/** A list with columns of its kind. */
export type ListRow<Column extends ListColumn> = Readonly<
  Pick<Selectable<Tables['lists']>, (typeof headColumns)[number] | Column>
>;
export type ListHead = ListRow<never>;

type EventType = RealtimeEvent['event_type'];
type EventMetrics = Pick<RealtimeEvent['event_metadata'], 'email_metrics' | 'guess_metrics'>;

/** How lists of one kind differ from the others: their columns, their outcomes and what these cost, and their events. */
export interface ListKind<Row extends ListHead, Outcome extends string> {
  readonly name: ListKindName;
  /** What answers and events need besides the columns of every kind. */
  readonly columns: readonly (keyof Row & ListColumn)[];
  /** The column with the number of rows that get an outcome. */
  readonly total: keyof Row & string;
  /** The columns that count the outcomes. */
  readonly counters: Readonly<Record<Outcome, keyof Row & string>>;
  /** A row of this list with one of these outcomes costs a credit. */
  readonly chargedOutcomesOf: (list: Row) => readonly Outcome[];
  readonly work: 'list' | 'guess-list';
  readonly events: { readonly progress: EventType; readonly complete: EventType };
  readonly metricsOf: (list: Row) => EventMetrics;
  /** `later` keeps the row of a deleted list until the sweep has removed its contents, which are too many for one statement. */
  readonly removal: 'at once' | 'later';
  /** Enqueues the rows of a resumed list that have no outcome, or a job that does it, or the job that prepares the list. */
  readonly enqueueRows: (queue: JobQueue, tx: Tx, place: ListPlace, list: Row) => Promise<void>;
  /** The names of all queues with jobs for lists of this kind begin with it. */
  readonly queuePrefix: string;
  /** The queues of jobs that work on rows, in the order of `inTurn`. */
  readonly rowQueues: readonly string[];
  /** Gives the rows of a list without an outcome the reason `not_checked`. */
  readonly finishJob: JobDefinition<ListPlace>;
  /** Runs before a stopped list settles. `rowsLeft` have no outcome yet. */
  readonly onStop?: (tx: Tx, place: ListPlace, list: Row, rowsLeft: number) => Promise<void>;
}
