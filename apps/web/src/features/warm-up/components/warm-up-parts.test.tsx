import { describe, expect, it } from 'vitest';
import { elementsWith, renderMarkup } from '../../../shared/testing/render-markup.tsx';
import type { AuthorizedCredential } from '../credentials.ts';
import { WarmUpFailure } from '../warm-up-failure.ts';
import { AuthorizedAccounts } from './authorized-accounts.tsx';
import { ConnectPanel } from './connect-panel.tsx';
import { ConsentNotice } from './consent-notice.tsx';
import { FailureAlert } from './failure-alert.tsx';

const account = (overrides: Partial<AuthorizedCredential> = {}): AuthorizedCredential => ({
  email: 'ines@gmail.test',
  provider: 'GOOGLE',
  isEnded: false,
  consentUrl: null,
  ...overrides,
});
const nothing = () => undefined;
const list = (accounts: Parameters<typeof AuthorizedAccounts>[0]['accounts']) =>
  renderMarkup(
    <AuthorizedAccounts accounts={accounts} onRemove={nothing} onRemoveAll={nothing} onRetry={nothing} />,
  );

describe('§2 Warm Up page: Authorized accounts', () => {
  it('§2 says word for word that there are none, and offers nothing to remove', () => {
    const { text } = list({ status: 'complete', data: [] });

    expect(text).toContain('Authorized accounts');
    expect(text).toContain(
      'No email accounts are currently authorized. Connect a Gmail or Microsoft account to get started.',
    );
    expect(text).not.toContain('Remove all credentials');
  });

  it('§2 shows each address with its provider and a way to remove it', () => {
    const { html, text } = list({
      status: 'complete',
      data: [account(), account({ email: 'mara@outlook.test', provider: 'MICROSOFT' })],
    });

    expect(text).toContain('ines@gmail.test Google');
    expect(text).toContain('mara@outlook.test Microsoft');
    expect(elementsWith(html, 'aria-label="Remove mara@outlook.test"')).toHaveLength(1);
    expect(text).toContain('Remove all credentials');
    expect(text).not.toContain('Access ended');
  });

  it('§2 Warm Up: each address has the icon of its own provider', () => {
    const icons = (['GOOGLE', 'MICROSOFT', 'UNKNOWN'] as const).map((provider) => {
      const { html } = list({ status: 'complete', data: [account({ provider })] });
      return /<li[^>]*><svg[^>]*>.*?<\/svg>/.exec(html)?.[0];
    });

    expect(icons[0]).toContain('stroke="#4285f4"');
    expect(icons[1]).toContain('fill="#00a4ef"');
    expect(icons[2]).toBeDefined();
    expect(new Set(icons).size).toBe(3);
  });

  it('says when a provider no longer accepts an account', () => {
    expect(list({ status: 'complete', data: [account({ isEnded: true })] }).text).toContain(
      'Access ended, connect again',
    );
  });

  it('§8 is cleared when it could not be loaded, and claims nothing', () => {
    const { text } = list({ status: 'failed' });

    expect(text).toContain('The accounts could not be loaded.');
    expect(text).toContain('Retry');
    expect(text).not.toContain('No email accounts');
  });
});

describe('§2 Warm Up page: connecting', () => {
  it('§2 has a button for each of the two providers and the note on metrics', () => {
    const { html, text } = renderMarkup(<ConnectPanel leavingFor={null} onConnect={nothing} />);

    expect(text).toContain('Connect Gmail');
    expect(text).toContain('Connect Microsoft');
    expect(text).toContain('metrics are coming soon');
    expect(elementsWith(html, 'disabled=""')).toEqual([]);
  });

  it('says where it takes the person, and takes them nowhere else meanwhile', () => {
    const { html, text } = renderMarkup(<ConnectPanel leavingFor="GOOGLE" onConnect={nothing} />);

    expect(text).toContain('Taking you to Google …');
    expect(elementsWith(html, 'disabled=""')).toHaveLength(2);
  });

  it('§2 an error alert shows the last error, and why', () => {
    const failure = new WarmUpFailure('Failed to get authorization URL', { reason: 'Not set up here.' });

    expect(renderMarkup(<FailureAlert failure={failure} />).text).toBe(
      'Failed to get authorization URL Not set up here.',
    );
    expect(renderMarkup(<FailureAlert failure={null} />).text).toBe('');
  });

  it('shows where consent is withdrawn, to those whom it concerns', () => {
    const { html } = renderMarkup(<ConsentNotice consentUrl="https://consent.test/" />);

    expect(elementsWith(html, 'href="https://consent.test/"')).toHaveLength(1);
    expect(renderMarkup(<ConsentNotice consentUrl={null} />).text).toBe('');
  });
});
