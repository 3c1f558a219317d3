import { Loader } from '@mantine/core';
import { Logo } from '../shared/components/logo.tsx';
import classes from './starting-screen.module.css';

/** Shown until the first frame or public page can be drawn, and while the browser leaves for the identity provider. */
export function StartingScreen() {
  return (
    <main className={classes.root} aria-busy="true">
      <Logo size={36} />
      <Loader size="sm" role="img" aria-label="Loading" />
    </main>
  );
}
