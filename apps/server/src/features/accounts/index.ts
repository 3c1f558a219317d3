import './accounts.tables.ts';

export {
  deleteAccountRow,
  findFlags,
  findStanding,
  findThrottledIds,
  updateFlag,
  updateStanding,
} from './accounts.store.ts';
export { keepAccount, lockAccount, lockForCounting } from './lock-account.ts';
export { findAccountsWithRetention, findRetention, updateRetention } from './retention.store.ts';
