import { ActionIcon, Menu } from '@mantine/core';
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
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={label}>
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
