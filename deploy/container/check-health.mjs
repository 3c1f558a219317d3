// node check-health.mjs URL: exits with 0 if the address answers 2xx within four seconds. The image has no curl.
const [url = ''] = process.argv.slice(2);
const isHealthy = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isHealthy ? 0 : 1;
