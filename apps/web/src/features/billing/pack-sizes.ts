import { CREDIT_PACKS } from '@assay/contract';
import { formatCredits } from '../../shared/format/counts.ts';

/** The packs as a field offers them. */
export const packSizes = CREDIT_PACKS.map(({ code, monthlyCredits }) => ({
  value: code,
  label: `${formatCredits(monthlyCredits)} credits`,
}));
