import { describe, expect, it } from 'vitest';
import { COMPANY_DOMAIN_TEXT, companyDomainSchema, readCompanyDomain } from './company-domain.ts';

describe('company domain from pasted text', () => {
  it.each([
    ['acme.com', 'acme.com'],
    [' ACME.com. ', 'acme.com'],
    ['www.acme.co.uk', 'acme.co.uk'],
    ['https://www.acme.com/about?x=1#team', 'acme.com'],
    ['acme.com/contact', 'acme.com'],
    ['jane@acme.com', 'acme.com'],
    ['@acme.com', 'acme.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['mail.acme-works.io', 'mail.acme-works.io'],
    ['linkedin.com', 'linkedin.com'],
  ])('%s is %s', (text, domain) => {
    expect(readCompanyDomain(text)).toBe(domain);
  });

  it.each([
    '',
    'acme',
    'acme com',
    '127.0.0.1',
    '[::1]',
    'acme..com',
    '-acme.com',
    'ftp://acme.com',
    'https://www.linkedin.com/in/jane-doe',
    'https://www.linkedin.com/company/acme',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
  ])('there is none in "%s"', (text) => {
    expect(readCompanyDomain(text)).toBeNull();
  });

  it('says what to enter', () => {
    expect(companyDomainSchema.safeParse(' ').error?.issues[0]?.message).toBe('Company domain required');
    expect(companyDomainSchema.safeParse('acme').error?.issues[0]?.message).toBe(COMPANY_DOMAIN_TEXT);
    expect(companyDomainSchema.parse(' acme.com ')).toBe('acme.com');
  });
});
