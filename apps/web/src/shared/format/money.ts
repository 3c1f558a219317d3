import { formatNumber } from './counts.ts';

export const formatDollars = (dollars: number): string =>
  `${dollars < 0 ? '-' : ''}$${formatNumber(Math.abs(dollars), { decimalsMin: 2, decimalsMax: 2 })}`;

export const formatCents = (cents: number): string => formatDollars(cents / 100);
