import './accounts.tables.ts';
import './api-keys.tables.ts';

export {
  deleteAccountRow,
  findFlags,
  findStanding,
  findThrottledIds,
  updateFlag,
  updateStanding,
} from './accounts.store.ts';
export { keepAccount, lockAccount, lockForCounting } from './lock-account.store.ts';
export { findAccountsWithRetention, findRetention, updateRetention } from './retention.store.ts';
