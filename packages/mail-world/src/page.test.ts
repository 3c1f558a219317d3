import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDefaultZone } from './index.ts';
import { renderExamples, renderHosts } from './page.ts';
import { mailboxClauses, routeClauses } from './zone/domain-clauses.ts';
import { hostClauses } from './zone/host-clauses.ts';
import { parseZone } from './zone/parse.ts';

const pagePath = fileURLToPath(new URL('../../../docs/mail-world.md', import.meta.url));
const zone = parseZone(readDefaultZone());

describe('docs/mail-world.md', () => {
  it('lists the names of the shipped zone (vitest -u writes the tables anew)', async () => {
    const page = readFileSync(pagePath, 'utf8');
    const start =
      '<!-- The tables below are written from the zone by packages/mail-world/src/page.test.ts. -->\n';
    const written = page.slice(0, page.indexOf(start) + start.length);
    expect(page).toContain(start);
    await expect(`${written}\n${renderExamples(zone.examples)}`).toMatchFileSnapshot(pagePath);
  });

  it('explains every clause of the grammar', () => {
    const page = readFileSync(pagePath, 'utf8');
    const clauses = Object.keys({ ...hostClauses, ...mailboxClauses, ...routeClauses });
    expect(clauses.filter((clause) => !page.includes(`| \`${clause}`))).toEqual([]);
  });
});

describe('docs/mail-world-hosts.md', () => {
  it('lists the hosts that are hard to judge (vitest -u writes it anew)', async () => {
    const path = fileURLToPath(new URL('../../../docs/mail-world-hosts.md', import.meta.url));
    const page = readFileSync(path, 'utf8');
    const start =
      '<!-- What follows is written from truth.zone by packages/mail-world/src/page.test.ts. -->\n';
    expect(page).toContain(start);
    const written = page.slice(0, page.indexOf(start) + start.length);
    await expect(`${written}\n${renderHosts(zone)}`).toMatchFileSnapshot(path);
  });

  it('has at least 150 hosts, each with a word about it', () => {
    const hosts = [...zone.domains.values()].filter(({ truths }) => truths.length > 0);
    expect(hosts.length).toBeGreaterThanOrEqual(150);
    expect(hosts.filter(({ about }) => about === '').map(({ name }) => name)).toEqual([]);
  });
});

describe('the shipped zone', () => {
  it('has a name to try for every domain', () => {
    const tried = new Set(
      zone.examples.map(({ address }) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()),
    );
    // The other half of a loop is there for the first half's sake.
    tried.add('alias-loop-b.test').add('xn--bcher-kva.test');
    const untried = [...zone.domains.values()].filter(
      ({ name, truths }) => !tried.has(name) && truths.length === 0,
    );
    expect(untried.map(({ name }) => name)).toEqual([]);
  });

  it('names each address once', () => {
    const addresses = zone.examples.map(({ address }) => address);
    expect(addresses).toEqual([...new Set(addresses)]);
  });
});
