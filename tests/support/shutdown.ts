const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Cleans up before a signal ends this process. Returns a function that removes the handlers. */
export function onShutdown(tidyUp: () => Promise<unknown>): () => void {
  const end = (signal: NodeJS.Signals) =>
    void tidyUp().finally(() => process.exit(exitCodes[signal as keyof typeof exitCodes]));
  for (const signal of Object.keys(exitCodes)) process.once(signal, end);
  return () => {
    for (const signal of Object.keys(exitCodes)) process.off(signal, end);
  };
}
