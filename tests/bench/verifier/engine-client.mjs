// Our engine over a file of addresses: node engine-client.mjs FILE DNS SMTP_PORT RANGE …. It loads before the clock starts.
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { createVerifier } = await import('@assay/verifier');

const [file = '', dns = '', smtpPort = '', ...allowRanges] = process.argv.slice(2);
const addresses = readFileSync(file, 'utf8').split('\n').filter(Boolean);

const startedAt = performance.now();
const verifier = createVerifier({ dns: [dns], smtpPort: Number(smtpPort), allowRanges, helo: 'bench.test' });
const findings = verifier.verifyAll(addresses, { evidence: false, lingers: false });
for await (const batch of findings.batches()) {
  let lines = '';
  for (const { email, result } of batch) lines += `{"email":"${email}","result":"${result}"}\n`;
  process.stdout.write(lines);
}
await verifier.close();
console.log(JSON.stringify({ workMs: performance.now() - startedAt }));
