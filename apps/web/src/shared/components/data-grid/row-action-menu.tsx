import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../icon.tsx';
import { reportNotOpened } from '../late-parts.tsx';
import { type RowActionMenuProps, rowMenuButton } from './row-action.ts';

const loadMenu = () => import('./row-menu.tsx');
/** A later attempt to open the menu loads it again. */
const preload = () => void loadMenu().catch(() => {});

/** A button until it is used: a page of rows has many menus, and few are ever opened. */
export function RowActionMenu(props: RowActionMenuProps) {
  const [Menu, setMenu] = useState<Awaited<ReturnType<typeof loadMenu>>['RowMenu']>();
  if (props.actions.length === 0) return null;
  if (Menu) return <Menu {...props} />;
  const open = () => void loadMenu().then(({ RowMenu }) => setMenu(() => RowMenu), reportNotOpened);
  return (
    <ActionIcon
      {...rowMenuButton}
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
    >
      <Icon name="more" />
    </ActionIcon>
  );
}
