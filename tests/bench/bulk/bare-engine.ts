// The engine alone in a process of its own: reads addresses, one to a line, and prints how long it took for them all.
import { readFile } from 'node:fs/promises';
import { createVerifier } from '@assay/verifier';

const [path = '', dns = '', ...allowRanges] = process.argv.slice(2);
const addresses = (await readFile(path, 'utf8')).trim().split('\n');
const verifier = createVerifier({ dns: [dns], allowRanges, helo: 'worker.assay.test' });
const startedAt = performance.now();
let count = 0;
for await (const _ of verifier.verifyAll(addresses)) count += 1;
console.log(JSON.stringify({ count, ms: performance.now() - startedAt }));
await verifier.close();
