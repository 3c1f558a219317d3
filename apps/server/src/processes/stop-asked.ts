/** Resolves with who asked when this process should stop: the system, a terminal, or a supervisor that is gone. */
export function untilStopAsked(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    // The channel to a supervisor closes when it ends, however it ends. Without one, this never comes.
    process.on('disconnect', () => resolve('disconnect'));
  });
}
