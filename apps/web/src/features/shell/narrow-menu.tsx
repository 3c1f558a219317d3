import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './private-layout.module.css';

interface NarrowMenuProps {
  isOpen: boolean;
  onClose: () => void;
  /** The logo, beside the close button. */
  head: ReactNode;
  children: ReactNode;
}

/** The sidebar as a drawer. Loaded when it is first opened. */
export function NarrowMenu({ isOpen, onClose, head, children }: NarrowMenuProps) {
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="20rem"
      classNames={{ content: classes.drawer, body: classes.drawerBody }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body>
          <div className={classes.drawerHead}>
            {head}
            <Drawer.CloseButton aria-label="Close menu" />
          </div>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
