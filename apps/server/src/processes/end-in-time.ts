/** What closes in order takes a few seconds, at most ten of them for work under way. */
const graceMs = 30_000;

/**
 * Ends the process if it has not ended by itself within its grace time: a database that takes connections and never answers can
 * keep every part from closing. A forced end loses nothing: it is the same to others as a process that was killed.
 */
export function endInTime(onLate: () => void, { drainMs = 0 } = {}): void {
  const lastResort = () => {
    onLate();
    process.exit(1);
  };
  // It does not keep a process alive that has nothing left to do.
  setTimeout(lastResort, drainMs + graceMs).unref();
}

/** The channel to a parent process closes when the parent ends, for any reason. It may have ended while this process loaded its code. */
export function onParentGone(listener: () => void): void {
  process.on('disconnect', listener);
  if (process.connected === false) listener();
}
