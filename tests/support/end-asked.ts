/** Tidies up before a signal ends this process, which otherwise ends it at once. */
export function onEndAsked(tidyUp: () => Promise<unknown>): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.once(signal, () => void tidyUp().finally(() => process.exit(exitCode)));
  }
}
