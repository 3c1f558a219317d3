import type { User, Wallet } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import type { AsyncState } from '../../shared/components/async-state.ts';
import { buildSubscription, buildUser, buildWallet } from '../../shared/testing/build-customer.ts';
import { elementsWith, renderMarkup } from '../../shared/testing/render-markup.tsx';
import { PrivateLayout } from './private-layout.tsx';
import { Sidebar } from './sidebar.tsx';

const jane = buildUser({ first_name: 'Jane', last_name: 'Doe', email_address: 'jane@exists.test' });

const freeWallet = buildWallet({
  subscription: buildSubscription({ next_renewal_date: '2026-12-05T12:00:00+00:00' }),
});

interface SidebarFacts {
  user?: AsyncState<User>;
  wallet?: AsyncState<Wallet>;
  isStaging?: boolean;
  path?: string;
}

const renderSidebar = ({
  user = { status: 'complete', data: jane },
  wallet = { status: 'complete', data: freeWallet },
  isStaging = false,
  path = '/',
}: SidebarFacts = {}) =>
  renderMarkup(
    <Sidebar
      user={user}
      wallet={wallet}
      isStaging={isStaging}
      docsUrl="https://docs.test/"
      now={new Date('2026-11-20T12:00:00Z')}
      onSignOut={() => {}}
      onRetryUser={() => {}}
      onRetryWallet={() => {}}
    />,
    { path },
  );

describe('§2 Sidebar', () => {
  it('reads from top to bottom: items, plan, balance, renewal, person, sign-out', () => {
    expect(renderSidebar().text).toBe(
      'Email verification API Billing Account FREE 1.0k credits Until Dec 05 15 days left Jane Doe jane@exists.test Sign out',
    );
  });
  it('two progress bars: balance against monthly credits, days to renewal', () => {
    const bars = elementsWith(renderSidebar().html, 'role="progressbar"');
    expect(bars.map((bar) => /aria-valuenow="(\d+)"/.exec(bar)?.[1])).toEqual(['100', '50']);
  });
  it('Email guessing is there for a user with the flag', () => {
    const data = { ...jane, feature_flags: { ...jane.feature_flags, guessing_enabled: true } };
    expect(renderSidebar({ user: { status: 'complete', data } }).text).toContain('Email guessing');
  });
  it('Warm Up is there in staging', () => {
    expect(renderSidebar({ isStaging: true }).text).toContain('Warm Up');
  });
  it('API opens in a new tab, which learns nothing of this one', () => {
    expect(elementsWith(renderSidebar().html, 'href="https://docs.test/"')).toEqual([
      expect.stringContaining('target="_blank" rel="noopener noreferrer"'),
    ]);
  });
  it('marks the current place, also on a page below it', () => {
    const { html } = renderSidebar({ path: '/email-verification/bulk/42' });
    expect(elementsWith(html, 'aria-current="page"')).toEqual([
      expect.stringContaining('href="/email-verification"'),
    ]);
  });
});

describe('§4 Sidebar: user and wallet show where they stand', () => {
  it('pending', () => {
    const { text } = renderSidebar({ user: { status: 'pending' }, wallet: { status: 'pending' } });
    expect(text).toContain('Waiting for balance Waiting for profile');
  });
  it('loading', () => {
    const { text } = renderSidebar({ user: { status: 'loading' }, wallet: { status: 'loading' } });
    expect(text).toContain('Loading balance Loading profile');
  });
  it('failed, with a way to retry', () => {
    const { text } = renderSidebar({ user: { status: 'failed' }, wallet: { status: 'failed' } });
    expect(text).toContain('Balance could not be loaded. Retry Profile could not be loaded. Retry');
  });
  it('failed to load again: the earlier balance stays', () => {
    const { text } = renderSidebar({ wallet: { status: 'failed', data: freeWallet } });
    expect(text).toContain('1.0k credits');
    expect(text).toContain('Balance could not be refreshed. Retry');
  });
});

describe('§2 Sidebar: Logo', () => {
  it('§2 Sidebar: the logo is above the items and leads home', () => {
    const { html } = renderMarkup(
      <PrivateLayout
        user={{ status: 'complete', data: jane }}
        wallet={{ status: 'complete', data: freeWallet }}
        isStaging={false}
        docsUrl="https://docs.test/"
        onSignOut={() => {}}
        onRetryUser={() => {}}
        onRetryWallet={() => {}}
      >
        A page
      </PrivateLayout>,
    );
    const sidebar = /<aside[^>]*aria-label="Sidebar".*?<\/aside>/.exec(html)?.[0] ?? '';

    expect(sidebar).toMatch(
      /^<aside[^>]*><a[^>]*href="\/"[^>]*>.*?<svg[^>]*aria-label="Assay".*?<\/a>.*<nav/,
    );
  });
});
