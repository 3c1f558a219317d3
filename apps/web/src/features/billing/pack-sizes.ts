import { CREDIT_PACKS, type PackCode } from '@assay/contract';
import { formatCredits } from '../../shared/format/counts.ts';

/** The packs as a field offers them. */
export const packSizes = CREDIT_PACKS.map(({ code, monthlyCredits }) => ({
  value: code,
  label: `${formatCredits(monthlyCredits)} credits`,
}));

/** The smallest pack that covers the credits that an import lacks, or else the largest; a usual one if none are missing. */
export function packFor(missingCredits: number): PackCode {
  if (missingCredits <= 0) return '10K';
  const fitting = CREDIT_PACKS.find(({ monthlyCredits }) => monthlyCredits >= missingCredits);
  return (fitting ?? CREDIT_PACKS.at(-1))?.code ?? '10K';
}
