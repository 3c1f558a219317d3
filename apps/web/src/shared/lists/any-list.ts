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
}
