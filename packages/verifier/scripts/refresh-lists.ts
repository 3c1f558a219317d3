// Builds data/domain-lists.generated.txt from the packages and the hand-kept lists beside it. Run it after updating one
// of them: npm run refresh-lists -w @assay/verifier. docs/verifier.md says where each list comes from.
//   --dns HOST[:PORT]   also looks up the mail hosts of disposable domains and adds those that several of them share
//   --sample N          how many domains to look up, 5000 by default
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import { parseArgs } from 'node:util';
import type { listNames } from '../src/address/domain-lists.ts';
import { isPublicSuffix, isSharedSuffix } from '../src/address/registrable-domain.ts';
import { countEdits, createSlipFinder } from '../src/address/slip-finder.ts';
import { readDisposableSources, readFreeProviders } from './disposable-sources.ts';
import { findSharedHosts } from './shared-hosts.ts';

const require = createRequire(import.meta.url);
const dataFile = (name: string): URL => new URL(`../data/${name}`, import.meta.url);
const versionOf = (name: string): string => {
  const manifest = require(`${name}/package.json`);
  return `${name} ${manifest.version} (${manifest.license})`;
};

const handKept = (name: string): string[] =>
  readFileSync(dataFile(`${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const { values: options } = parseArgs({
  options: { dns: { type: 'string' }, sample: { type: 'string', default: '5000' } },
});

const sources = readDisposableSources();
const { fakefilter, ...plainLists } = sources;
// Checked by their maintainers, entry by entry; the other lists collect.
const observed = new Set(Object.keys(fakefilter.domains));
const checked = new Set([...observed, ...plainLists['disposable-email-domains-js']]);
const freeProviders = new Set(readFreeProviders());

const providers = handKept('mail-providers');
const ordinary = [...handKept('ordinary-domains'), ...handKept('privacy-relays')];
const neverDisposable = new Set([...ordinary, ...providers]);
const isOfficial = /\.(?:gov|mil|edu)$/;
const isDomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

const named = [...new Set([...checked, ...Object.values(plainLists).flat()])]
  .map((domain) => domainToASCII(domain.trim().toLowerCase()))
  .filter((domain) => isDomain.test(domain) && !neverDisposable.has(domain) && !isSharedSuffix(domain))
  .filter((domain) => checked.has(domain) || !(freeProviders.has(domain) || isOfficial.test(domain)));

// A domain that is only a slip of the hand is not disposable, but its owner accepts mail for everybody: it is on those
// lists for that. Nor is it a kept typing mistake, because some resemble a provider by chance (gail.com, gomail.com).
const isKnown = (domain: string): boolean => neverDisposable.has(domain) || freeProviders.has(domain);
const findSlipOfMostUsed = createSlipFinder({ providers: providers.slice(0, 6), isKnown, isPublicSuffix });
const findSlip = createSlipFinder({ providers, isKnown, isPublicSuffix });
const typos = new Map(handKept('typo-domains').map((line) => line.split(' ') as [string, string]));
// One package also collects what people typed into forms, so what it alone names must not resemble any provider.
const { 'disposable-email-detector': _, ...others } = plainLists;
const namedByOthers = new Set([...observed, ...Object.values(others).flat()]);

function isSlip(domain: string): boolean {
  if (typos.has(domain)) return true;
  if (observed.has(domain)) return false;
  if (!namedByOthers.has(domain) && findSlip(domain) !== undefined) return true;
  const meant = findSlipOfMostUsed(domain);
  return meant !== undefined && isOneSlip(domain, meant);
}

/** One error in the name after its first letter with the right ending, or the right name with a wrong ending. */
function isOneSlip(domain: string, meant: string): boolean {
  const [name = '', ...ending] = domain.split('.');
  const [meantName = '', ...meantEnding] = meant.split('.');
  if (name === meantName) return true;
  return (
    ending.join() === meantEnding.join() && name[0] === meantName[0] && countEdits(name, meantName, 1) === 1
  );
}

const disposable = named.filter((domain) => !isSlip(domain)).sort();
const hosters = handKept('shared-hosters');
const disposableHosts = handKept('disposable-hosts');
if (options.dns !== undefined) {
  const found = await findSharedHosts({
    domains: disposable,
    sampleCount: Number(options.sample),
    dns: options.dns,
    hosters: new Set(hosters),
  });
  console.log(`hosts that disposable domains share: ${found.join(' ')}`);
  disposableHosts.push(...found);
}

const sections: Record<(typeof listNames)[number], Iterable<string>> = {
  disposable, // Sorted by code unit, because the reader searches by halving.
  disposable_host: disposableHosts,
  hoster: hosters,
  ordinary,
  provider: providers,
  role: handKept('role-names'),
  typo: [...typos].map(([typed, meant]) => `${typed} ${meant}`).sort(),
};
const bodies = Object.entries(sections).map(([name, entries]) => {
  const distinct = [...new Set(entries)];
  return { name, count: distinct.length, text: `\n${distinct.join('\n')}\n` };
});
const packages = [...Object.keys(sources), 'freemail'];
const header = [
  `# Generated by scripts/refresh-lists.ts on ${new Date().toISOString().slice(0, 10)}; do not edit.`,
  `# Sources: the hand-kept lists of this folder; ${packages.map(versionOf).join(', ')}.`,
  ...bodies.map(({ name, count, text }) => `${name} ${count} ${text.length}`),
  '',
].join('\n');
writeFileSync(dataFile('domain-lists.generated.txt'), header + bodies.map(({ text }) => text).join(''));
for (const { name, count } of bodies) console.log(`${name}: ${count}`);
