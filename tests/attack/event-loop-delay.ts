/** The longest delay of a process's event loop since the last reading; each reading resets the metric. */
export async function longestDelayMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? ([\d.e+-]+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('The metrics have no event loop delay.');
  return Number(seconds) * 1_000;
}
