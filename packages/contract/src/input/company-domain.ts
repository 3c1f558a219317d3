import * as z from 'zod/mini';

export const COMPANY_DOMAIN_TEXT = 'Enter a company domain, such as acme.com';

const DOMAIN_LENGTH = { min: 4, max: 253 } as const;
const domainShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

const isDomain = (text: string): boolean =>
  text.length >= DOMAIN_LENGTH.min &&
  text.length <= DOMAIN_LENGTH.max &&
  domainShape.test(text) &&
  // The last label of an IP address is a number.
  /[a-z]/.test(text.slice(text.lastIndexOf('.')));

/**
 * Finds the domain in a bare domain, a web address or an email address. Returns it in lower case and
 * A-labels, without a leading www; null if there is none.
 */
export function readCompanyDomain(text: string): string | null {
  const trimmed = text.trim();
  // The part before an @ is the local part of an email address.
  const domainOrUrl = trimmed.slice(trimmed.lastIndexOf('@') + 1);
  try {
    const url = new URL(/^https?:\/\//i.test(domainOrUrl) ? domainOrUrl : `http://${domainOrUrl}`);
    const domain = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
    return isDomain(domain) && !isLinkedinPage(domain, url.pathname) ? domain : null;
  } catch {
    return null;
  }
}

/** The URL of a page on these sites does not contain the mail domain of the person or company. */
const isLinkedinPage = (domain: string, path: string): boolean =>
  /(^|\.)linkedin\.com$/.test(domain) && path.length > 1;

export const companyDomainSchema = z.string().check(
  z.trim(),
  z.minLength(1, 'Company domain required'),
  z.maxLength(500, COMPANY_DOMAIN_TEXT),
  z.refine((text) => readCompanyDomain(text) !== null, COMPANY_DOMAIN_TEXT),
);
