// Apart from billing.ts, whose schemas would otherwise be in the code of the billing page.

const europeanUnion =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** The kinds of tax numbers that invoices can carry, in the payment provider's names, by country. */
const kindsOutsideUnion = {
  AE: 'ae_trn',
  AU: 'au_abn',
  BR: 'br_cnpj',
  CA: 'ca_bn',
  CH: 'ch_vat',
  GB: 'gb_vat',
  IL: 'il_vat',
  IN: 'in_gst',
  IS: 'is_vat',
  JP: 'jp_trn',
  KR: 'kr_brn',
  MX: 'mx_rfc',
  NO: 'no_vat',
  NZ: 'nz_gst',
  SG: 'sg_gst',
  TR: 'tr_tin',
  UA: 'ua_vat',
  US: 'us_ein',
  ZA: 'za_vat',
} as const;
export type TaxNumberKind = 'eu_vat' | (typeof kindsOutsideUnion)[keyof typeof kindsOutsideUnion];

/** Undefined for a country whose numbers invoices cannot carry. */
export const taxNumberKindOf = (country: string): TaxNumberKind | undefined =>
  europeanUnion.includes(country)
    ? 'eu_vat'
    : (kindsOutsideUnion as Readonly<Record<string, TaxNumberKind>>)[country];

/** As the provider wants it: VAT numbers of Europe without blanks and dots, and with their country in front. */
export function compactTaxNumber(country: string, typed: string): string {
  const kind = taxNumberKindOf(country);
  if (kind !== 'eu_vat' && kind !== 'gb_vat') return typed.trim();
  const compact = typed.replace(/[\s.-]/g, '').toUpperCase();
  // Greece is the exception among the countries of the Union.
  const prefix = country === 'GR' ? 'EL' : country;
  return compact === '' || compact.startsWith(prefix) ? compact : `${prefix}${compact}`;
}
