import classes from './logo.module.css';

/**
 * The A of Assay with the bead in place of its bar: what is left in the cupel when an assay is done, the pure metal.
 * `public/favicon.svg` is the same drawing.
 */
export function Logo({ size }: { size: number }) {
  return (
    <span className={classes.root} style={{ fontSize: size }}>
      <svg viewBox="0 0 32 32" className={classes.mark} role="img" aria-label="Assay">
        <title>Assay</title>
        <rect width="32" height="32" rx="8" className={classes.punch} />
        <path d="M7.5 25L16 7l8.5 18" className={classes.letter} />
        <circle cx="16" cy="21.5" r="3" className={classes.bead} />
      </svg>
      <span className={classes.word} aria-hidden="true">
        Assay
      </span>
    </span>
  );
}
