import { ActionIcon } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Icon } from '../../shared/components/icon.tsx';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { Logo } from '../../shared/components/logo.tsx';
import { formatShortCount } from '../../shared/format/counts.ts';
import classes from './private-layout.module.css';
import { Sidebar, type SidebarProps } from './sidebar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const NarrowMenu = lateDialog(async () => (await import('./narrow-menu.tsx')).NarrowMenu);

const ShortcutHelp = lateDialog(async () => (await import('./shortcut-help.tsx')).ShortcutHelp);

const MAIN_ID = 'main';

type PrivateLayoutProps = Omit<SidebarProps, 'now'> & { children: ReactNode };

/** The frame of every signed-in page: the sidebar, which is a drawer on narrow screens, and the page. */
export function PrivateLayout({ children, ...sidebar }: PrivateLayoutProps) {
  const now = new Date();
  const { pathname } = useLocation();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useShortcuts(() => setIsHelpOpen(true));
  return (
    <div className={classes.root}>
      <a href={`#${MAIN_ID}`} className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.side} aria-label="Sidebar">
        <HomeLink />
        <Sidebar {...sidebar} now={now} />
      </aside>
      <NarrowHeader {...sidebar} now={now} path={pathname} />
      <main id={MAIN_ID} tabIndex={-1} className={classes.main}>
        <div className={classes.page}>{children}</div>
      </main>
      <ShortcutHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </div>
  );
}

function HomeLink() {
  return (
    <Link to="/" className={classes.home} aria-label="Assay, home">
      <Logo size={32} />
    </Link>
  );
}

function NarrowHeader({ path, ...sidebar }: SidebarProps & { path: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes because the path changed, whatever it changed to
  useEffect(() => setIsOpen(false), [path]);
  const balance = sidebar.wallet.data?.balance;
  return (
    <section className={classes.header} aria-label="Top bar">
      <HomeLink />
      {balance === undefined ? null : (
        <span className={classes.balance}>
          <strong>{formatShortCount(balance)}</strong> credits
        </span>
      )}
      <ActionIcon
        variant="subtle"
        size="xl"
        aria-label="Open menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="menu" />
      </ActionIcon>
      <NarrowMenu isOpen={isOpen} onClose={close} head={<HomeLink />}>
        <Sidebar {...sidebar} />
      </NarrowMenu>
    </section>
  );
}
