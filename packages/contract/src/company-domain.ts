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
 * The domain in what people paste for it: a bare domain, the address of a web page, or an email address. In lower case and
 * A-labels, without a leading www. Null where there is none.
 */
export function readCompanyDomain(text: string): string | null {
  const trimmed = text.trim();
  // What stands before an @ is the name in an email address.
  const place = trimmed.slice(trimmed.lastIndexOf('@') + 1);
  try {
    const url = new URL(/^https?:\/\//i.test(place) ? place : `http://${place}`);
    const domain = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
    return isDomain(domain) && !isLinkedinPage(domain, url.pathname) ? domain : null;
  } catch {
    return null;
  }
}

/** The page of a person or company there names no domain in which they have their mail. */
const isLinkedinPage = (domain: string, path: string): boolean =>
  /(^|\.)linkedin\.com$/.test(domain) && path.length > 1;

export const companyDomainSchema = z.string().check(
  z.trim(),
  z.minLength(1, 'Company domain required'),
  z.maxLength(500, COMPANY_DOMAIN_TEXT),
  z.refine((text) => readCompanyDomain(text) !== null, COMPANY_DOMAIN_TEXT),
);
