import { describe, expect, it } from 'vitest';
import { listNavigationItems } from './navigation-items.ts';

const ordinary = { hasGuessing: false, isStaging: false, docsUrl: 'https://docs.test/' };
const labelsOf = (facts: Parameters<typeof listNavigationItems>[0]) =>
  listNavigationItems(facts).map(({ label }) => label);

describe('§2 Sidebar: items', () => {
  it('Email verification, API, Billing, Account', () => {
    expect(labelsOf(ordinary)).toEqual(['Email verification', 'API', 'Billing', 'Account']);
  });
  it('Email guessing second, for users with the flag only', () => {
    expect(labelsOf({ ...ordinary, hasGuessing: true })[1]).toBe('Email guessing');
  });
  it('Warm Up last, in staging only', () => {
    expect(labelsOf({ ...ordinary, isStaging: true }).at(-1)).toBe('Warm Up');
  });
  it('API opens the documentation site in a new tab, nothing else leaves', () => {
    const external = listNavigationItems({ ...ordinary, hasGuessing: true, isStaging: true }).filter(
      ({ isExternal }) => isExternal,
    );
    expect(external).toEqual([{ label: 'API', icon: 'api', href: 'https://docs.test/', isExternal: true }]);
  });
});
