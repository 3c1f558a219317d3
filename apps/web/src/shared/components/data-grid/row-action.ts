import type { IconName } from '../icon.tsx';

export interface RowAction {
  readonly label: string;
  readonly onSelect: () => void;
  readonly icon?: IconName;
  readonly isDestructive?: boolean;
  readonly isDisabled?: boolean;
}

export interface RowActionMenuProps {
  actions: readonly RowAction[];
  /** Names the thing, for screen readers: 'Actions for customers.csv'. */
  label: string;
}

export const rowMenuButton = { variant: 'subtle', size: 'lg', radius: 'xl' } as const;
