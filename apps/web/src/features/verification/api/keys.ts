import type { ListKeys } from '../../../shared/lists/list-keys.ts';

/** The first parts of the query keys, so that reading and reloading name the same things. */
export const verificationKeys = {
  singles: ['validations', 'singles'],
  single: ['validations', 'single'],
  lists: ['validations', 'lists'],
  list: ['validations', 'list'],
  listEmails: ['validations', 'list-emails'],
  listEmail: ['validations', 'list-email'],
  listColumns: ['validations', 'list-columns'],
  exportLinks: ['validations', 'export-links'],
  metrics: ['validations', 'metrics'],
} as const;

export const validationListKeys: ListKeys = {
  ...verificationKeys,
  rows: verificationKeys.listEmails,
  counts: [verificationKeys.metrics],
};
