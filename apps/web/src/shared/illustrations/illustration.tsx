import { lateComponent } from '../components/late-parts.tsx';
import type { drawings } from './drawings.tsx';
import classes from './illustration.module.css';

export type IllustrationName = keyof typeof drawings;

const Drawing = lateComponent(async () => (await import('./drawings.tsx')).Drawing);

/** Decoration above the words that say the same; screen readers pass over it. */
export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg viewBox="0 0 200 140" className={classes.root} aria-hidden="true" data-illustration={name}>
      <ellipse cx="100" cy="74" rx="92" ry="58" className={classes.ground} />
      <Drawing name={name} />
    </svg>
  );
}
