/** Resolves with who asked when this process should stop: the system, a terminal, or a supervisor that is gone. */
export function untilStopAsked(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (who: string) => {
      // Listening for its end keeps the channel, and with it the process, alive.
      process.removeListener('disconnect', onDisconnect);
      resolve(who);
    };
    const onDisconnect = () => stop('disconnect');
    process.on('disconnect', onDisconnect);
    // Kept on: a second signal must not end the process in the middle of stopping.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  });
}
