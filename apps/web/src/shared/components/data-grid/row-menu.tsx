import { ActionIcon, Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icon.tsx';
import { type RowActionMenuProps, rowMenuButton } from './row-action.ts';

/** Takes the place and the focus of the button that was used, and opens at once. */
export function RowMenu({ actions, label }: RowActionMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The list opens outside the table, which would cut it off, but inside the main part of the page, so that screen
  // readers find it when they move from landmark to landmark.
  const [main, setMain] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    setMain(button.current?.closest('main') ?? null);
    button.current?.focus({ preventScroll: true });
    setIsOpen(true);
  }, []);
  return (
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      withinPortal={main !== null}
      portalProps={main ? { target: main } : {}}
    >
      <Menu.Target>
        <ActionIcon ref={button} {...rowMenuButton} aria-label={label}>
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
