// Prints how well the lists do: npm run measure-lists -w @assay/verifier. docs/verifier.md explains the figures.
import { isDisposableDomain } from '../src/address/address-flags.ts';
import { entriesOf, isListedDisposable, listsGeneratedOn } from '../src/address/domain-lists.ts';
import { findLikelyDomain } from '../src/address/likely-domain.ts';
import { commonTypos } from '../src/testing/common-typos.ts';
import { readDisposableSources } from './disposable-sources.ts';

const share = (count: number, total: number): string => `${((100 * count) / total).toFixed(1)}% of ${total}`;
const print = (what: string, figure: string): void => console.log(`${what.padEnd(72)} ${figure}`);

console.log(`Lists of ${listsGeneratedOn()}`);
for (const [kind, typos] of Object.entries(commonTypos)) {
  const wrong = typos.filter(({ typed, meant }) => findLikelyDomain(typed)?.name !== meant);
  print(`typing mistakes corrected, ${kind}`, share(typos.length - wrong.length, typos.length));
  console.log(
    `  not: ${wrong.map(({ typed }) => `${typed} (${findLikelyDomain(typed)?.name ?? '-'})`).join(' ')}`,
  );
}

const ordinary = [...entriesOf('provider'), ...entriesOf('ordinary')];
print(
  "providers' and ordinary domains with a suggestion",
  share(ordinary.filter(findLikelyDomain).length, ordinary.length),
);
print(
  "providers' and ordinary domains called disposable",
  share(ordinary.filter(isDisposableDomain).length, ordinary.length),
);

// fakefilter visits the disposable services daily and notes when it saw a domain last. The domains of its last two days
// are a snapshot of what is alive. Without fakefilter, the figure shows how lists do on domains that they were not built from.
const { fakefilter, ...others } = readDisposableSources();
const alive = Object.entries(fakefilter.domains).filter(
  ([, { lastseen }]) => lastseen >= fakefilter.t - 2 * 86_400,
);
// Without what the refresh command takes from the lists, such as public suffixes.
const otherLists = new Set(Object.values(others).flat().filter(isListedDisposable));
const isOnOthers = (domain: string): boolean =>
  domain.split('.').some((_, index, labels) => otherLists.has(labels.slice(index).join('.')));
// Domains of one service usually share its mail hosts, so this stands in for DNS, which a measurement must not ask.
const byService = Map.groupBy(
  Object.keys(fakefilter.domains),
  (domain) => fakefilter.domains[domain]?.provider,
);
const sharesHosts = (domain: string): boolean => {
  const siblings = byService.get(fakefilter.domains[domain]?.provider) ?? [];
  const listedCount = siblings.filter((sibling) => sibling !== domain && isOnOthers(sibling)).length;
  return listedCount >= 3 && listedCount * 2 >= siblings.length;
};
const names = alive.map(([domain]) => domain);
print('living disposable domains recognised', share(names.filter(isDisposableDomain).length, names.length));
print('  held out: by the other lists alone', share(names.filter(isOnOthers).length, names.length));
print(
  '  held out: by the other lists or hosts shared with their domains',
  share(names.filter((name) => isOnOthers(name) || sharesHosts(name)).length, names.length),
);
