import { flagBits } from '../../engine/index.ts';
import type { ResultKind } from './kinds.store.ts';

/** Mail to these flags reaches nobody for long, or no person. */
const unsafeFlagBits = flagBits(['disposable', 'role']);

/** Whether an address is safe to send to: valid, not disposable, not of a role. */
export const isSafe = ({ verdict, flags }: Pick<ResultKind, 'verdict' | 'flags'>): boolean =>
  verdict === 'VALID' && flags !== null && (flags & unsafeFlagBits) === 0;

/** The same in SQL, for a row of `list_results`. */
export const safeCondition = `verdict = 'VALID' and flags & ${unsafeFlagBits} = 0`;
