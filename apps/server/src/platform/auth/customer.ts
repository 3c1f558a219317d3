import type { Subject } from './subject.ts';

/** Who a call acts for, whichever way they proved it. */
export interface Customer {
  readonly userId: string;
  /** Of a signed-in person's token; missing when an API key made the call. */
  readonly subject?: Subject;
}
