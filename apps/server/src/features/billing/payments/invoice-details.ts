import { compactTaxNumber, type InvoiceDetails, NO_INVOICE_DETAILS, taxNumberKindOf } from '@assay/contract';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import { type PortalParts, requireCustomer } from './customer-portal.ts';
import { findPayer } from './payments.store.ts';

/** Only the payment provider keeps them. */
export async function getInvoiceDetails(
  { db, gateway }: Pick<PortalParts, 'db' | 'gateway'>,
  ownerId: AccountId,
): Promise<InvoiceDetails> {
  const customerId = (await findPayer(db, ownerId))?.customerReference;
  return (customerId && (await gateway.findInvoiceDetails(customerId))) || NO_INVOICE_DETAILS;
}

export async function setInvoiceDetails(
  parts: PortalParts,
  actor: Actor,
  typed: InvoiceDetails,
): Promise<InvoiceDetails> {
  const details = { ...typed, tax_number: compactTaxNumber(typed.country, typed.tax_number) };
  if (details.tax_number !== '' && !taxNumberKindOf(details.country)) throw invalidTaxNumber();
  const { customerId } = await requireCustomer(parts, actor.accountId);
  if (!(await parts.gateway.setInvoiceDetails(customerId, details))) throw invalidTaxNumber();
  await recordActivity(parts.db, actor, { kind: 'setting.invoice_details', now: parts.clock.now() });
  return details;
}

const invalidTaxNumber = () => new AppError('tax_number_invalid', {}, { meta: { field: 'tax_number' } });
