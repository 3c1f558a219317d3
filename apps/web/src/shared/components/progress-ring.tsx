import classes from './progress-ring.module.css';

const SIZE_PX = 36;
const RADIUS = 15;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

interface ProgressRingProps {
  /** 0 to 100; anything beyond is cut off. */
  percent: number;
  /** Accessible name of the ring. */
  label: string;
}

export function ProgressRing({ percent, label }: ProgressRingProps) {
  const value = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <span
      className={classes.root}
      style={{ width: SIZE_PX, height: SIZE_PX }}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <svg viewBox="0 0 36 36" className={classes.svg} aria-hidden="true">
        <circle cx="18" cy="18" r={RADIUS} className={classes.track} />
        <circle
          cx="18"
          cy="18"
          r={RADIUS}
          className={classes.value}
          strokeDasharray={`${(value / 100) * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        />
      </svg>
      <span
        className={classes.number}
        style={{ fontSize: SIZE_PX * (value === 100 ? 0.24 : 0.28) }}
        aria-hidden="true"
      >
        {value}%
      </span>
    </span>
  );
}
