import type { RealtimeEvent } from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import type { ErrorCode } from '../../platform/errors/index.ts';
import type { JobDefinition, JobQueue } from '../../platform/queue/index.ts';
import type { ListPlace } from './list-place.ts';
import type { ListStatus } from './list-status.ts';

/** The columns that lists of every kind have. */
export interface ListHead {
  readonly id: string;
  readonly name: string;
  readonly status: ListStatus;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly file_name: string | null;
  readonly is_sandbox?: boolean;
  /** Counts how often the list was resumed. Jobs of an earlier run end at once. */
  readonly run_number: number;
  /** A list that its customer paused stays paused when the standing of the account changes. */
  readonly is_paused_by_standing: boolean;
  /** Also set while a list is prepared, which is then paused when its rows are there. */
  readonly paused_at: Date | null;
  readonly source_list_id: string | null;
  /** Whether some of its addresses are outside `.test`. */
  readonly has_real_domain: boolean;
  /** Null, or absent for kinds without preparation, unless a job has yet to copy rows, or failed to. */
  readonly rows_to_copy?: number | null;
  readonly rows_copied?: number | null;
  /** The code of the error that made the list fail. */
  readonly problem?: ErrorCode | null;
  /** Its text; null in lists of earlier versions. */
  readonly problem_text?: string | null;
}

type EventType = RealtimeEvent['event_type'];
type EventMetrics = Pick<RealtimeEvent['event_metadata'], 'email_metrics' | 'guess_metrics'>;

/** How lists of one kind differ from the others: their table, their outcomes and what these cost, and their events. */
export interface ListKind<Row extends ListHead, Outcome extends string> {
  readonly table: string;
  /** What answers and events need, and no long text. */
  readonly columns: readonly (keyof Row & string)[];
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
