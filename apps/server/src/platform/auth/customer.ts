/** Who a call acts for, whichever way they proved it. */
export interface Customer {
  readonly userId: string;
}
