import { Button, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './async-slot.module.css';
import type { AsyncState } from './async-state.ts';
import { Icon } from './icon.tsx';
import { useShownState } from './use-shown-state.ts';

interface AsyncSlotProps<Data> {
  state: AsyncState<Data>;
  /** What the slot holds, as in 'Loading balance' and 'balance could not be loaded'. */
  name: string;
  /** A placeholder in the shape of the data: `Skeleton`s, or a part of the page that has no data yet. It cannot be used. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
  onRetry?: (() => void) | undefined;
}

/** Shows a slot of data in each of its states; none of them is blank. */
export function AsyncSlot<Data>({ state: known, name, skeleton, children, onRetry }: AsyncSlotProps<Data>) {
  const state = useShownState(known);
  const isLoading = state.status === 'loading';
  return (
    <div data-status={state.status} aria-busy={isLoading} className={classes.root}>
      {state.data === undefined ? null : children(state.data)}
      {state.data === undefined && state.status !== 'failed' ? (
        <div className={classes.skeleton}>
          <VisuallyHidden role="status">
            {isLoading ? `Loading ${name}` : `Waiting for ${name}`}
          </VisuallyHidden>
          <div aria-hidden="true" inert>
            {skeleton}
          </div>
        </div>
      ) : null}
      {state.status === 'failed' ? (
        <SlotFailure name={name} isStale={state.data !== undefined} onRetry={onRetry} />
      ) : null}
    </div>
  );
}

interface SlotFailureProps {
  name: string;
  /** Earlier data is on the screen still. */
  isStale: boolean;
  onRetry?: (() => void) | undefined;
}

export function SlotFailure({ name, isStale, onRetry }: SlotFailureProps) {
  const subject = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <div className={classes.failure} role="alert">
      <Icon name="warning" size={18} />
      <span className={classes.failureText}>
        {subject} could not be {isStale ? 'refreshed' : 'loaded'}.
      </span>
      {onRetry ? (
        <Button
          variant="subtle"
          size="compact-sm"
          color="danger"
          onClick={onRetry}
          leftSection={<Icon name="retry" size={14} />}
        >
          Retry
        </Button>
      ) : null}
    </div>
  );
}

/** A bar where a line of text or a number will be. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className={classes.bone} style={{ width, height }} />;
}

/** A bar in the middle of a line of text, and as high as that line. */
export const LineSkeleton = ({ width }: { width: string }) => (
  <span className={classes.line}>
    <Skeleton width={width} height="0.75em" />
  </span>
);

/** A form whose values still load. */
export const FormSkeleton = ({ children }: { children: ReactNode }) => (
  <div className={classes.form}>{children}</div>
);

/** A ring where a donut will be. */
export function RingSkeleton({ size }: { size: number | string }) {
  return <span className={`${classes.bone} ${classes.ring}`} style={{ width: size, height: size }} />;
}
