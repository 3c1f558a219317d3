/** Of pages that begin with the same words for everyone: shown before their code is there. */
export const pageTitles = {
  verification: 'Email verification',
  billing: 'Billing',
  account: 'Account',
} as const;
