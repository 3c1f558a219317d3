/** The parts of Billing that have an address of their own, below `/billing`. */
export const billingSections = {
  packs: 'Buy credits',
  spending: 'Spending',
  invoices: 'Invoices',
  'top-up': 'Automatic top-up',
  alerts: 'Alerts',
} as const;
export type BillingSection = keyof typeof billingSections;
