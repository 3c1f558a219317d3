import type { ListWait, RunState, ValidationList } from '@assay/contract';

export interface NamedList {
  readonly id: string;
  readonly name: string;
}

/** What every list has, whether there are emails in it or people. */
export interface AnyList extends NamedList {
  readonly status: 'PENDING' | 'COMPLETE';
  /** 0 to 100. */
  readonly progress: number;
  readonly creation_date: string;
  /** Null when the list is complete. */
  readonly run_state: RunState | null;
  readonly waiting: readonly ListWait[];
  /** Null once the rows of the list are there. */
  readonly preparation: ValidationList['preparation'];
  /** So far, for a list that runs. */
  readonly charged_credits: number;
}
