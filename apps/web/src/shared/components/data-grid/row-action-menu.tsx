import { ActionIcon, Menu } from '@mantine/core';
import { useCallback, useState } from 'react';
import { Icon, type IconName } from '../icon.tsx';

export interface RowAction {
  readonly label: string;
  readonly onSelect: () => void;
  readonly icon?: IconName;
  readonly isDestructive?: boolean;
  readonly isDisabled?: boolean;
}

interface RowActionMenuProps {
  actions: readonly RowAction[];
  /** Names the thing, for screen readers: 'Actions for customers.csv'. */
  label: string;
}

export function RowActionMenu({ actions, label }: RowActionMenuProps) {
  // The list opens outside the table, which would cut it off, but inside the main part of the page, so that screen
  // readers find it when they move from landmark to landmark.
  const [main, setMain] = useState<HTMLElement | null>(null);
  const findMain = useCallback((button: HTMLElement | null) => setMain(button?.closest('main') ?? null), []);
  return (
    <Menu position="bottom-end" withinPortal={main !== null} portalProps={main ? { target: main } : {}}>
      <Menu.Target>
        <ActionIcon ref={findMain} variant="subtle" size="lg" radius="xl" aria-label={label}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            onClick={action.onSelect}
            disabled={action.isDisabled ?? false}
            {...(action.isDestructive ? { color: 'danger' } : {})}
            leftSection={action.icon ? <Icon name={action.icon} size={18} /> : null}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
