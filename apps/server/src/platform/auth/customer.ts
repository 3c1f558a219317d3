import type { Subject } from './subject.ts';

export interface Caller {
  /** The network address. */
  readonly address: string;
  /** What the program calls itself, cut to a bearable length. */
  readonly agent: string | null;
}

/** Who a call acts for, whichever way they proved it. */
export interface Customer {
  readonly userId: string;
  /** Where the call came from. */
  readonly caller?: Caller;
  /** Of a signed-in person's token; missing when an API key made the call. */
  readonly subject?: Subject;
}
