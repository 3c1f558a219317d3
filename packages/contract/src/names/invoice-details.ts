/** What invoices say about a customer, and how long each text may be. */
export const INVOICE_DETAIL_LENGTHS = {
  company: 150,
  line1: 200,
  line2: 200,
  postal_code: 20,
  city: 100,
  state: 100,
  /** ISO 3166-1. */
  country: 2,
  /** The VAT number, or what the country has instead. */
  tax_number: 40,
} as const;

type InvoiceDetail = keyof typeof INVOICE_DETAIL_LENGTHS;

export const NO_INVOICE_DETAILS = Object.fromEntries(
  Object.keys(INVOICE_DETAIL_LENGTHS).map((name) => [name, '']),
) as Readonly<Record<InvoiceDetail, string>>;
